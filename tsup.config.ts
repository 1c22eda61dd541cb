import { defineConfig } from "tsup";

/** One line per entry of `exports` in package.json; a structure test holds the two equal. */
export const entry = {
  index: "src/index.ts",
  "schema/index": "src/schema/index.ts",
  "storage/file/index": "src/storage/file/index.ts",
  "storage/postgres/index": "src/storage/postgres/index.ts",
  "storage/sqlite/index": "src/storage/sqlite/index.ts",
  "testing/index": "src/testing/index.ts",
  "tools/shell/index": "src/tools/shell/index.ts",
  "tools/workspace/index": "src/tools/workspace/index.ts",
};

export default defineConfig({
  entry,
  format: "esm",
  target: "es2022",
  platform: "neutral",
  dts: true,
  sourcemap: true,
  treeshake: true,
  clean: true,
  // Shared chunks: a class that two entries use must be one class, or `instanceof` fails between them.
  splitting: true,
  external: [/^node:/],
  // Finding these two on disk would be most of the time that an import takes. Everything else stays a package.
  noExternal: ["eventemitter3", "p-queue"],
});
