/** Options by which a program runs another one, that no rule for the program's name is meant to allow. */
const runningOptions: ReadonlyMap<string, RegExp> = new Map([
  ["git", /^(-c|-c.+|--config-env.*|--exec-path=.*|--upload-pack.*|--receive-pack.*|--exec(=.*)?|-x|--extcmd.*|--open-files-in-pager.*|-O.+|ext::.*)$/],
  ["tar", /^(-I|-I.+|--use-compress-program.*|--to-command.*|--checkpoint-action.*|--rsh-command.*|-F|--info-script.*|--new-volume-script.*)$/],
  ["rsync", /^(-[a-zA-Z]*e|--rsh.*|--rsync-path.*)$/],
  ["sort", /^--compress-prog.*$/],
  ["zip", /^(-[a-zA-Z]*T+|--unzip-command.*|-TT)$/],
  ["man", /^(-P|-P.+|--pager.*|-H.*|--html.*)$/],
  ["rg", /^--pre(=.*)?$/],
  ["fd", /^(-x|-X|--exec.*)$/],
  ["make", /^(SHELL=.*|--eval.*)$/],
  ["curl", /^(-K|--config.*)$/],
  ["wget", /^--use-askpass.*$/],
  ["scp", /^(-S|-S.+|-o|-o.+)$/],
  ["sftp", /^(-S|-S.+|-o|-o.+|-D)$/],
  ["vim", /^(-c|-c.+|\+.+|--cmd)$/],
  ["vi", /^(-c|-c.+|\+.+|--cmd)$/],
]);

/** An awk or sed program that runs commands. */
const runningPrograms: ReadonlyMap<string, RegExp> = new Map([
  ["awk", /system\s*\(|\||@load/],
  ["gawk", /system\s*\(|\||@load/],
  ["mawk", /system\s*\(|\|/],
  ["sed", /(^|[;{\n0-9$/])\s*e(\s|$)|\/[gpIim0-9]*e[gpIim0-9]*(\s*([;}]|$))/],
]);

/** The word by which the command runs another program than the one that it names. */
export function runningWord(words: readonly string[]): string | undefined {
  const name = words[0]?.replace(/^.*\//s, "") ?? "";
  const options = runningOptions.get(name);
  const program = runningPrograms.get(name);
  return words.slice(1).find((word) => options?.test(word) === true || program?.test(word) === true);
}
