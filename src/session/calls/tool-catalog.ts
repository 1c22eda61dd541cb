import type { LanguageModelV4FunctionTool, LanguageModelV4ProviderTool } from "@ai-sdk/provider";
import { compileTool } from "../../tools/compile-tool.ts";
import type { CompiledTool } from "../../tools/compiled-tool.ts";
import { createToolRegistry, isRegistry, type ToolRecord, type ToolRegistry } from "../../tools/tool-registry.ts";

export type ToolDefinitionForModel = LanguageModelV4FunctionTool | LanguageModelV4ProviderTool;

/** A tool, ready to run, and as the model is told of it. */
export interface CatalogEntry {
  tool: CompiledTool;
  definition: ToolDefinitionForModel;
}

/** The tools of a registry, compiled once per change of the registry. Sorted by name. */
export class ToolCatalog {
  readonly #registry: ToolRegistry;
  #version: number | undefined;
  #entries: readonly CatalogEntry[] | Promise<readonly CatalogEntry[]> = [];

  constructor(tools: ToolRecord | ToolRegistry) {
    this.#registry = isRegistry(tools) ? tools : createToolRegistry(tools);
  }

  /** Whether these are the tools that it was made of. */
  isOf(tools: ToolRecord | ToolRegistry): boolean {
    return tools === this.#registry;
  }

  /** A promise only while they are being compiled: each step asks. */
  entries(): readonly CatalogEntry[] | Promise<readonly CatalogEntry[]> {
    if (this.#version !== this.#registry.version) this.#compile();
    return this.#entries;
  }

  #compile(): void {
    const { version } = this.#registry;
    const compiling = Promise.all(this.#registry.list().map(async ({ name, tool }) => toEntry(await compileTool(name, tool))));
    // Only now: a registry is foreign code, and one whose list() throws is asked again.
    this.#version = version;
    this.#entries = compiling;
    compiling.then(
      (entries) => {
        if (this.#entries === compiling) this.#entries = entries;
      },
      () => {
        // A failure is not kept: a schema that could not be loaded may load the next time.
        if (this.#entries === compiling) this.#version = undefined;
      },
    );
  }
}

interface Offering {
  isHidden?: ((tool: string) => boolean) | undefined;
  output?: CatalogEntry | undefined;
}

/**
 * What of the tools is offered.
 *
 * The engine's own come last: the definitions before them are those of other turns.
 *
 * @param outputReader reads truncated outputs
 */
export function offeredEntries(entries: readonly CatalogEntry[], { isHidden, output }: Offering, outputReader: CatalogEntry | undefined): readonly CatalogEntry[] {
  const offered = entries.filter(({ tool }) => isHidden?.(tool.name) !== true);
  // The host's own tool of that name is the one that is meant.
  if (outputReader !== undefined && isHidden?.(outputReader.tool.name) !== true && !offered.some(({ tool }) => tool.name === outputReader.tool.name)) offered.push(outputReader);
  if (output !== undefined) offered.push(output);
  return offered;
}

function toEntry(tool: CompiledTool): CatalogEntry {
  return { tool, definition: tool.provider === undefined ? toFunction(tool) : { type: "provider", name: tool.name, ...tool.provider } };
}

function toFunction(tool: CompiledTool): LanguageModelV4FunctionTool {
  const { name, description, inputSchema, strict, providerOptions, inputExamples } = tool;
  return {
    type: "function",
    name,
    inputSchema,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
    ...(providerOptions !== undefined && { providerOptions }),
    ...(inputExamples !== undefined && { inputExamples }),
  };
}
