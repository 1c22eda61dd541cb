import { errorMessage } from "../../util/error-message.ts";
import type { AnalyzeOptions, CommandAnalysis, ShellDialect } from "./command-analysis.ts";
import { Findings, type Scope } from "./findings.ts";
import { loadParser, type ShellParser } from "./load-parser.ts";
import { readScript } from "./read-script.ts";
import { strangeCharacters } from "./strange-characters.ts";

/** A longer text is no command that a person reads before saying yes. */
const longestCommand = 100_000;

/** How often a text may hold another one: `bash -c "bash -c …"`. */
const deepestText = 8;

/**
 * Says what a shell command would do, without running it. It never guesses: what it cannot account for is in `unaccounted`,
 * and a command with any of it must be asked about.
 *
 * @throws {MissingPackageError} the parser, an optional peer, is not installed
 * @example
 * const { atoms } = await analyzeCommand('git add . && git push "origin" main')
 * // atoms: [{ text: "git add .", always: "git add *" … }, { text: "git push origin main", always: "git push *" … }]
 */
export async function analyzeCommand(command: string, { dialect = "bash", variables = {} }: AnalyzeOptions = {}): Promise<CommandAnalysis> {
  const findings = new Findings();
  for (const reason of strangeCharacters(command)) findings.doubt(reason);
  if (command.length > longestCommand) {
    findings.doubt(`It is longer than ${longestCommand} characters.`);
    return findings.toAnalysis();
  }
  const reading = new Reading(await loadParser(), findings, variables);
  reading.read(command, dialect);
  return findings.toAnalysis();
}

class Reading {
  readonly #parser: ShellParser;
  readonly #findings: Findings;
  readonly #variables: Readonly<Record<string, string>>;
  #depth = 0;

  constructor(parser: ShellParser, findings: Findings, variables: Readonly<Record<string, string>>) {
    this.#parser = parser;
    this.#findings = findings;
    this.#variables = variables;
  }

  read(text: string, dialect: ShellDialect): void {
    if (this.#depth === deepestText) {
      this.#findings.doubt("Too many texts within texts.");
      return;
    }
    this.#depth += 1;
    try {
      readScript(this.#parser, text, this.#scope(dialect));
    } catch (error) {
      // Whatever the parser stumbles over: it is not understood.
      this.#findings.doubt(`It cannot be read: ${errorMessage(error)}`);
    }
    this.#depth -= 1;
  }

  #scope(dialect: ShellDialect): Scope {
    return {
      findings: this.#findings,
      variables: this.#variables,
      dialect,
      readText: (text, of) => {
        this.read(text, of);
      },
    };
  }
}
