import type { Bundle } from "./bundle.ts";
import type { Comparison, Round } from "./bench-case.ts";
import { median } from "./median.ts";
import { formatNumber, type Row } from "./table.ts";

/** The ratio of the medians decides; the range over the rounds shows how far the machine can be trusted. */
export function judgeComparison({ figure, unit, ours, peer, theirs, atMost }: Comparison, rounds: readonly Round[]): Row {
  const ourValue = median(rounds.map(ours));
  const theirValue = median(rounds.map(theirs));
  const ratio = ourValue / theirValue;
  const ratios = rounds.map((round) => ours(round) / theirs(round));
  return {
    figure,
    ours: `${formatNumber(ourValue)} ${unit}`,
    theirs: `${peer}: ${formatNumber(theirValue)} ${unit}`,
    ratio: `${formatRatio(ratio)} (${formatRatio(Math.min(...ratios))}–${formatRatio(Math.max(...ratios))})`,
    bar: atMost === undefined ? "" : `≤ ${formatRatio(atMost)}`,
    verdict: atMost === undefined ? "" : verdictOf(ratio <= atMost),
  };
}

const largestCoreKilobytes = 30;

/**
 * The size of what an import loads has an absolute bar: it does not depend on the machine. What runs a session is loaded
 * with the first prompt, and a host that bundles everything into one file gets both.
 */
export function judgeBundles(core: { all: Bundle; atOnce: Bundle }, sdk: Bundle): Row[] {
  const size = (figure: string, { gzippedBytes }: Bundle): Row => ({
    figure,
    ours: kilobytes(gzippedBytes),
    theirs: `ai: ${kilobytes(sdk.gzippedBytes)}`,
    ratio: formatRatio(gzippedBytes / sdk.gzippedBytes),
    bar: "",
    verdict: "",
  });
  const verdict = verdictOf(core.atOnce.gzippedBytes <= largestCoreKilobytes * 1000);
  return [
    { ...size("import of the core with dependencies, min + gzip", core.atOnce), bar: `≤ ${largestCoreKilobytes} kB`, verdict },
    size("the same and all that it loads later", core.all),
  ];
}

function verdictOf(passed: boolean): "pass" | "MISS" {
  return passed ? "pass" : "MISS";
}

function kilobytes(bytes: number): string {
  return `${formatNumber(bytes / 1000)} kB`;
}

function formatRatio(ratio: number): string {
  return ratio.toFixed(ratio < 1 ? 3 : 2);
}
