/** A kind of command that destroys what no undo brings back. */
export interface DestructiveKind {
  /** Its name, without a directory. */
  command: RegExp;
  /** All of these are among its words. */
  words?: readonly RegExp[] | undefined;
  /** One of its operands. */
  operand?: RegExp | undefined;
  /** What it would do: the person who is asked reads it. */
  impact: string;
}

/** The whole machine, a home, a system directory, or all of where it stands. */
const everything = /^(\/|\/\*|~|~\/|~\/\*|\$\{?HOME\}?\/?\*?|\.|\.\/?|\.\/\*|\.\.(\/.*)?|\*|\/?\.\*|\/(bin|boot|dev|etc|home|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|Users|System|Library|Applications)\/?\*?|\.git\/?)$/;
/** `"$DIRECTORY/"*`: when the variable is empty, it is the root. */
const perhapsRoot = /^\$(\{?\w+\}?|\(.*\))(\/.*)?$/s;
const devices = /^(of=)?\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper|dm-|md|loop|mem|kmem|port)/;
const recursive = /^(-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/;

/**
 * Commands that are asked about even where everything is allowed. A rule that names the permission `destructive` lifts it:
 * `{ permission: "destructive", pattern: "git push --force *", action: "allow" }`.
 */
export const destructiveKinds: readonly DestructiveKind[] = [
  { command: /^rm$/, words: [recursive], operand: everything, impact: "Removes whole directories that hold more than this work." },
  { command: /^rm$/, words: [recursive], operand: perhapsRoot, impact: "Removes a directory that is only known when it runs; with an empty variable that may be everything." },
  { command: /^rm$/, words: [/^--no-preserve-root$/], impact: "Removes the root directory." },
  { command: /^find$/, words: [/^(-delete|-exec|-execdir)$/], operand: /^(\/|~\/?|\$\{?HOME\}?\/?|\/(bin|boot|dev|etc|home|lib|opt|root|sbin|srv|sys|usr|var|Users|System|Library)\/?)$/, impact: "Changes files all over the machine." },
  { command: /^(chmod|chown|chgrp|setfacl)$/, words: [recursive], operand: everything, impact: "Changes who may use whole directories; what it was before is lost." },
  { command: /^(mkfs(\..*)?|mke2fs|newfs.*|mkswap|wipefs|blkdiscard|fdisk|gdisk|sgdisk|sfdisk|cfdisk|parted|hdparm|pvremove|vgremove|lvremove|zpool|diskutil|format)$/, impact: "Changes a disk below its files." },
  { command: /^cryptsetup$/, words: [/^(luksFormat|erase|luksErase|reencrypt)$/], impact: "Overwrites a disk." },
  { command: /^dd$/, operand: devices, impact: "Overwrites a disk." },
  { command: /^(cp|mv|tee|cat|shred|truncate|ln)$/, operand: devices, impact: "Overwrites a disk." },
  { command: /^mv$/, operand: /^(\/|~\/?|\/dev\/null|\/(bin|boot|etc|home|lib|root|sbin|usr|var)\/?)$/, impact: "Moves what the machine needs, or moves files to where they are lost." },
  { command: /^shred$/, impact: "Overwrites files beyond recovery." },
  { command: /^(shutdown|reboot|halt|poweroff)$/, impact: "Stops the machine." },
  { command: /^(init|telinit)$/, words: [/^[06]$/], impact: "Stops the machine." },
  { command: /^systemctl$/, words: [/^(poweroff|reboot|halt|kexec|suspend|hibernate|rescue|emergency|isolate)$/], impact: "Stops the machine." },
  { command: /^kill$/, operand: /^-1$/, impact: "Ends every process that it may end." },
  { command: /^(pkill|killall)$/, words: [/^(-u|--user|-U|--euid|-g)/], impact: "Ends every process of a user." },
  { command: /^crontab$/, words: [/^-r/], impact: "Removes all timed commands of the user." },
  { command: /^(userdel|groupdel|deluser)$/, impact: "Removes a user of the machine." },
  { command: /^git$/, words: [/^push$/, /^(-[a-zA-Z]*f[a-zA-Z]*|--force.*|--mirror|--prune|--delete|-d|\+.+|:.+)$/], impact: "Overwrites or removes what others have pushed." },
  { command: /^(terraform|tofu|pulumi)$/, words: [/^destroy$/], impact: "Removes the infrastructure that it manages." },
  { command: /^(dropdb|dropuser)$/, impact: "Removes a database." },
];

/** What the command would destroy; `undefined` for one that is not on the list. */
export function destructiveImpact(words: readonly string[]): string | undefined {
  const name = words[0]?.replace(/^.*\//s, "") ?? "";
  const rest = words.slice(1);
  return destructiveKinds.find(
    ({ command, words: needed = [], operand }) => command.test(name) && needed.every((pattern) => rest.some((word) => pattern.test(word))) && (operand === undefined || rest.some((word) => operand.test(word))),
  )?.impact;
}

/** Whether writing to this path overwrites a disk. */
export function isDevice(path: string): boolean {
  return devices.test(path);
}
