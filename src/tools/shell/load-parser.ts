import { MissingPackageError } from "../../errors.ts";

/** The parser; the decision for it is written down in `docs/decisions/0012-shell-parsing.md`. */
export type ShellParser = typeof import("unbash");

/**
 * Loads the parser with the first command that is analysed.
 *
 * @throws {MissingPackageError} it is not installed
 */
export async function loadParser(): Promise<ShellParser> {
  try {
    return await import("unbash");
  } catch (cause) {
    throw new MissingPackageError("unbash", "Reading shell commands", cause);
  }
}
