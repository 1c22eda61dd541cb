/** Names are at most 64 characters; a longer one was made up, and only its start can resemble anything. */
const maxCompared = 64;

/**
 * The candidates that somebody who wrote `name` may have meant, closest first: names that differ in case, separators or a
 * few letters, or that contain one another.
 */
export function closestNames(name: string, candidates: readonly string[], limit = 3): string[] {
  const wanted = simplify(name);
  return candidates
    .map((candidate) => ({ candidate, distance: distance(wanted, simplify(candidate)) }))
    .filter((entry) => entry.distance <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

function simplify(name: string): string {
  return name.slice(0, maxCompared).toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function distance(a: string, b: string): number {
  const contained = Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a));
  return contained ? Math.min(1, editDistance(a, b)) : editDistance(a, b);
}

/** The fewest single letters to insert, delete, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replace = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swaps = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = swaps ? at(beforePrevious, column - 2) + 1 : Infinity;
      current.push(Math.min(replace, swap, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
