import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import ts from "typescript";

/** One import or re-export of a source file. */
export interface Import {
  /** A path from the source folder for our own files, else the specifier, e.g. `node:fs` or `zod`. */
  target: string;
  /** `static` is loaded with the file, `type` is erased, `dynamic` is loaded when the code asks for it. */
  kind: "static" | "type" | "dynamic";
}

/** What the structure rules look at in one source file. */
export interface SourceFile {
  lines: number;
  imports: Import[];
  /** `export *` and `export default`, by the word. */
  forbiddenExports: string[];
}

/** Source files by their path from the source folder, e.g. `message/part.ts`. */
export type ImportGraph = ReadonlyMap<string, SourceFile>;

/** Reads every TypeScript file under a folder. */
export function readImportGraph(folder: string): ImportGraph {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const files = paths.map((path) => relative(folder, join(folder, path)).split(sep).join("/"));
  return new Map(files.sort().map((path) => [path, parseSourceFile(path, readFileSync(join(folder, path), "utf8"))]));
}

/** Parses one file; `path` is its path from the source folder. */
export function parseSourceFile(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const file: SourceFile = { lines: text.trimEnd().split("\n").length, imports: [], forbiddenExports: [] };
  const addImport = (specifier: ts.Node | undefined, kind: Import["kind"]): void => {
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) file.imports.push({ target: resolve(path, specifier.text), kind });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) addImport(node.moduleSpecifier, kindOf(node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword));
    if (ts.isExportDeclaration(node)) addImport(node.moduleSpecifier, kindOf(node.isTypeOnly));
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) addImport(node.argument.literal, "type");
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) addImport(node.arguments[0], "dynamic");
    if (ts.isExportDeclaration(node) && (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause))) {
      file.forbiddenExports.push("export *");
    }
    if (isDefaultExport(node)) file.forbiddenExports.push("export default");
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return file;
}

function resolve(from: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : specifier;
}

/** `import { type A }` counts as static: it still loads the module, only a whole `import type` is erased. */
function kindOf(typeOnly: boolean): Import["kind"] {
  return typeOnly ? "type" : "static";
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === "default";
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false);
}
