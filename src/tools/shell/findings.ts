import { escapeWildcards } from "../../util/escape-wildcards.ts";
import type { CommandAnalysis, CommandAtom, PathUse, ShellDialect } from "./command-analysis.ts";

/** What has been found while a command is read. */
export class Findings {
  readonly #atoms = new Map<string, CommandAtom>();
  readonly #unaccounted = new Set<string>();
  readonly #paths: PathUse[] = [];
  readonly #written: PathUse[] = [];
  readonly #directories: (PathUse | undefined)[] = [];

  /** The same command twice is one atom; what is known of either holds for both. */
  addAtom(atom: Omit<CommandAtom, "always"> & { always?: string | undefined }): void {
    const known = this.#atoms.get(atom.text);
    this.#atoms.set(atom.text, {
      text: atom.text,
      always: atom.always ?? known?.always ?? escapeWildcards(atom.text),
      uncertain: atom.uncertain || known?.uncertain === true,
      destructive: atom.destructive ?? known?.destructive,
    });
  }

  addPaths(paths: readonly PathUse[]): void {
    this.#paths.push(...paths);
  }

  addWritten(paths: readonly PathUse[]): void {
    this.#written.push(...paths);
  }

  /** The command goes to another directory; `undefined`: nobody knows to which. */
  addDirectory(directory: PathUse | undefined): void {
    this.#directories.push(directory);
  }

  /** @param reason a sentence for the person who is asked */
  doubt(reason: string): void {
    this.#unaccounted.add(reason);
  }

  toAnalysis(): CommandAnalysis {
    return { atoms: [...this.#atoms.values()], paths: this.#paths, written: this.#written, directories: this.#directories, unaccounted: [...this.#unaccounted] };
  }
}

/** What a part of a command is read with. */
export interface Scope {
  findings: Findings;
  dialect: ShellDialect;
  variables: Readonly<Record<string, string>>;
  /** Reads a text that a shell will read: the argument of `eval`, of `bash -c`. */
  readText(this: void, text: string, dialect: ShellDialect): void;
}
