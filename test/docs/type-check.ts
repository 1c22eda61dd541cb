import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Names that a text takes for granted in its blocks. */
const assumed = `
declare const model: Exclude<import("throughline").LanguageModel, string>;
declare const agent: import("throughline").Agent;
declare const session: import("throughline").Session;
`;

/** What the compiler has to say about blocks of TypeScript, each a module of its own; with the settings of this project. */
export function typeErrors(blocks: readonly string[]): string[] {
  const files = new Map(blocks.map((code, index) => [`${root}block-${index}.ts`, `${code}\nexport {};\n`]));
  files.set(`${root}assumed.d.ts`, assumed);
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as { config: { compilerOptions: unknown } };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  // A text shows what there is to use, and need not use it.
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false });
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    const text = files.get(path);
    return text === undefined ? getSourceFile(path, ...rest) : ts.createSourceFile(path, text, rest[0]);
  };
  const program = ts.createProgram([...files.keys()], { ...options, noUnusedLocals: false }, host);
  return [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${path.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
}
