import ts from "typescript";

/** What a block of code may use, by name: modules that it imports, and names that the text around it takes for granted. */
export interface CodeEnvironment {
  modules: Readonly<Record<string, object>>;
  globals: Readonly<Record<string, unknown>>;
}

/** Runs a block of TypeScript as the body of a module. */
export async function runCode(code: string, { modules, globals }: CodeEnvironment): Promise<void> {
  const { outputText } = ts.transpileModule(importsAsConstants(code), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const load = (specifier: string): object => {
    const module = modules[specifier];
    if (module === undefined) throw new Error(`The block imports "${specifier}", which its scenario does not provide.`);
    return module;
  };
  const names = ["load", ...Object.keys(globals)];
  // In a block of its own, so that it may declare a name that is also a global.
  const body = new AsyncFunction(...names, `{\n${outputText}\n}`);
  await body(load, ...Object.values(globals));
}

// The constructor of async functions has no name of its own.
const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => (...values: unknown[]) => Promise<void>;

/** `import { a as b } from "x"` becomes `const { a: b } = load("x")`: the body of a function cannot import. */
function importsAsConstants(code: string): string {
  const tree = ts.createSourceFile("block.ts", code, ts.ScriptTarget.ES2022);
  let result = code;
  for (const statement of [...tree.statements].reverse()) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) throw new Error(`Only named imports are understood: ${statement.getText(tree)}`);
    const names = bindings.elements.flatMap(({ isTypeOnly, name, propertyName }) =>
      isTypeOnly ? [] : [propertyName === undefined ? name.text : `${propertyName.text}: ${name.text}`],
    );
    const constant = `const { ${names.join(", ")} } = load(${statement.moduleSpecifier.getText(tree)});`;
    result = result.slice(0, statement.getStart(tree)) + constant + result.slice(statement.end);
  }
  return result;
}
