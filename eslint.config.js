import js from "@eslint/js";
import tseslint from "typescript-eslint";

const noDefaultExport = { selector: "ExportDefaultDeclaration", message: "Named exports only." };
const noWildcardExport = { selector: "ExportAllDeclaration", message: "List the names: a wildcard makes public API by accident." };

export default tseslint.config(
  { ignores: ["dist/", "coverage/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: "always" }],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_" }],
      "@typescript-eslint/no-invalid-void-type": ["error", { allowAsThisParameter: true }],
      // Passing on what somebody else threw: only the provider or tool knows what it is.
      "@typescript-eslint/prefer-promise-reject-errors": ["error", { allowThrowingUnknown: true }],
      // An async method of a port turns its throw into a rejection, whether or not it awaits.
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // Providers add stream parts and reasons in patch releases, so a switch over a foreign union has a default.
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      // "modified" counts a switch once: folding twenty kinds of stream parts in one place is not complicated.
      complexity: ["error", { max: 12, variant: "modified" }],
      "max-lines": ["error", { max: 260, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 4],
      "no-restricted-globals": ["error", { name: "process", message: "The host hands settings in; the core runs where there is no process." }],
      "no-restricted-imports": ["error", { patterns: [{ group: ["node:*"], message: "The core also runs on edge runtimes." }] }],
      "no-restricted-syntax": ["error", noDefaultExport, noWildcardExport],
    },
  },
  {
    // These are entries of their own: the core never loads them.
    files: ["src/storage/{local,file,sqlite,postgres}/**/*.ts", "src/tools/{shell,workspace}/**/*.ts"],
    rules: { "no-restricted-globals": "off", "no-restricted-imports": "off" },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      // expect(object.method) reads a method without calling it.
      "@typescript-eslint/unbound-method": "off",
    },
  },
  { files: ["examples/**/*.ts", "bench/**/*.ts", "test/chaos/**/*.ts", "test/termination/fuzz.ts"], rules: { "no-console": "off" } },
  { files: ["**/*.{js,mjs}"], languageOptions: { globals: { console: "readonly", process: "readonly", URL: "readonly" } } },
);
