import { DuplicateToolError, InvalidArgumentError, InvalidToolError } from "../errors.ts";
import { callable } from "../util/check-options.ts";
import { guardLogger, type Logger } from "../util/logger.ts";
import { checkTool } from "./check-tool.ts";
import type { AnyTool } from "./tool.ts";

/** A tool under the name that the model calls it by. */
export interface RegisteredTool {
  readonly name: string;
  readonly tool: AnyTool;
}

/** Tools by name: the key is the name, whatever the tool's own `name` says. */
export type ToolRecord = Readonly<Record<string, AnyTool>>;

/**
 * The tools that an agent may offer. They can change while a session runs: the next model call sees the change. Implement
 * it yourself to bring tools from elsewhere.
 */
export interface ToolRegistry {
  /** Grows with each change. */
  readonly version: number;
  /** All tools, sorted by name: the order in which a provider sees them must not depend on the order of registration. */
  list(): readonly RegisteredTool[];
  get(name: string): AnyTool | undefined;
  /**
   * Adds a tool, under its own name or under the given one.
   *
   * @returns takes this registration back; calling it again does nothing
   * @throws {InvalidToolError} no name, an illegal name, or an unusable tool
   * @throws {DuplicateToolError} the name is taken
   */
  register(tool: AnyTool): () => void;
  register(name: string, tool: AnyTool): () => void;
  /**
   * Calls the listener after each change.
   *
   * @returns stops it
   * @throws {InvalidArgumentError} another event, or no function
   */
  on(event: "change", listener: () => void): () => void;
}

/** What every provider accepts as the name of a tool. */
const legalName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/**
 * Makes a registry, with the given tools in it.
 *
 * @param tools - a record (the key is the name), or a list of tools that have names
 * @param options - `logger` is told about change listeners that throw
 * @throws {InvalidToolError} no name, an illegal name, or an unusable tool
 * @throws {DuplicateToolError} two tools of one name
 *
 * @example
 * const registry = createToolRegistry({ readFile })
 * const unregister = registry.register("search", searchTool)
 */
export function createToolRegistry(
  tools: ToolRecord | readonly AnyTool[] = {},
  options: { logger?: Logger | undefined } = {},
): ToolRegistry {
  if (!isObject(tools)) throw new InvalidArgumentError("createToolRegistry.tools", "must be a record or a list of tools.");
  const registry = new MemoryToolRegistry(options.logger);
  if (isList(tools)) for (const tool of tools) registry.register(tool);
  else for (const [name, tool] of Object.entries(tools)) registry.register(name, tool);
  return registry;
}

/** Whether it is a registry rather than a record of tools. */
export function isRegistry(tools: ToolRecord | ToolRegistry): tools is ToolRegistry {
  return typeof tools.list === "function" && typeof tools.get === "function" && typeof tools.register === "function";
}

class MemoryToolRegistry implements ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #listeners = new Set<{ notify: () => void }>();
  readonly #logger: Logger | undefined;
  #sorted: readonly RegisteredTool[] = [];
  #version = 0;

  constructor(logger: Logger | undefined) {
    this.#logger = guardLogger(logger);
  }

  get version(): number {
    return this.#version;
  }

  list(): readonly RegisteredTool[] {
    return this.#sorted;
  }

  get(name: string): AnyTool | undefined {
    return this.#tools.get(name)?.tool;
  }

  register(nameOrTool: string | AnyTool, namedTool?: AnyTool): () => void {
    const tool = typeof nameOrTool === "string" ? namedTool : nameOrTool;
    const name = typeof nameOrTool === "string" ? nameOrTool : ownName(nameOrTool);
    checkName(name);
    checkTool(name, tool);
    if (this.#tools.has(name)) throw new DuplicateToolError(name);
    const registration: RegisteredTool = { name, tool };
    this.#tools.set(name, registration);
    this.#changed();
    return () => {
      // The name may belong to a later registration by now.
      if (this.#tools.get(name) !== registration) return;
      this.#tools.delete(name);
      this.#changed();
    };
  }

  on(event: "change", listener: () => void): () => void {
    // Callers without types pass anything.
    const name: unknown = event;
    if (name !== "change") throw new InvalidArgumentError("registry.on.event", `there is no event "${String(name)}". There is: change.`);
    callable(listener, "registry.on.listener");
    // An object of its own, so that the same function can listen twice and stop once.
    const entry = { notify: listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  #changed(): void {
    this.#version += 1;
    this.#sorted = [...this.#tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { notify } of [...this.#listeners]) {
      try {
        notify();
      } catch (error) {
        this.#logger?.({ level: "error", message: "A change listener of the tool registry threw.", error });
      }
    }
  }
}

function checkName(name: string): void {
  if (name === "") {
    throw new InvalidToolError("", "needs a name. Give it one in defineTool({ name }), or register it with register(name, tool).");
  }
  if (!legalName.test(name)) {
    throw new InvalidToolError(name, "has a name that providers refuse. Use up to 64 letters, digits, _ and -, starting with a letter or _.");
  }
}

function ownName(tool: AnyTool): string {
  // The argument may be anything in JavaScript; checkTool refuses it after this.
  const name: unknown = isObject(tool) && "name" in tool ? tool.name : undefined;
  return typeof name === "string" ? name : "";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** `Array.isArray` does not narrow a read-only list. */
function isList(tools: ToolRecord | readonly AnyTool[]): tools is readonly AnyTool[] {
  return Array.isArray(tools);
}
