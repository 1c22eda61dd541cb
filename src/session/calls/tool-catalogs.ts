import type { ToolRecord, ToolRegistry } from "../../tools/tool-registry.ts";
import { ToolCatalog } from "./tool-catalog.ts";

/** The catalogs of the tools that a processor was given: each set of tools is compiled once. */
export class ToolCatalogs {
  readonly #own: ToolCatalog | undefined;
  readonly #byTools = new WeakMap<object, ToolCatalog>();

  /** @param own the agent's tools, compiled */
  constructor(own: ToolCatalog | undefined) {
    this.#own = own;
  }

  of(tools: ToolRecord | ToolRegistry): ToolCatalog {
    if (this.#own?.isOf(tools) === true) return this.#own;
    let catalog = this.#byTools.get(tools);
    if (catalog === undefined) {
      catalog = new ToolCatalog(tools);
      this.#byTools.set(tools, catalog);
    }
    return catalog;
  }
}
