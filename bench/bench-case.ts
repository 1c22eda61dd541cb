/** What one run of a program measured, by the name of the figure. */
export type Figures = Record<string, number>;

/** One run of every program of a case, one after another, by the program's name. */
export type Round = Record<string, Figures>;

/** Gets a number out of a round. */
export type Reading = (round: Round) => number;

/** How much work the programs do: `quick` is for a look, too short to judge by. */
export type Size = "full" | "quick";

/** One line of the table: ours beside theirs, and how far ours may go. */
export interface Comparison {
  figure: string;
  unit: string;
  ours: Reading;
  peer: string;
  theirs: Reading;
  /** The highest ratio of ours to theirs that passes; without it the line only informs. */
  atMost?: number | undefined;
}

/** Does its work, and says what that took. */
export type Program = (size: Size) => Promise<Figures>;

/** Programs that do the same work in different ways, and what is compared of them. */
export interface BenchCase {
  /** Each runs in a process of its own, and loads there what it needs: what it never loads cannot disturb it. */
  programs: Record<string, Program>;
  comparisons: readonly Comparison[];
}

/** The figure of a program, less that of another when one is named. */
export function reading(program: string, figure: string, lessProgram?: string): Reading {
  return (round) => valueOf(round, program, figure) - (lessProgram === undefined ? 0 : valueOf(round, lessProgram, figure));
}

function valueOf(round: Round, program: string, figure: string): number {
  const value = round[program]?.[figure];
  if (value === undefined) throw new Error(`The program "${program}" did not measure "${figure}".`);
  return value;
}
