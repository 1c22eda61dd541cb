import { accessSync, constants } from "node:fs";
import { join } from "node:path";

const usual: readonly string[] = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"];

/** Path of the shell that commands run in: a `bash` where there is one, as models write for it. */
export function findShell(): string {
  const onPath = (process.env["PATH"] ?? "").split(":").flatMap((folder) => (folder.startsWith("/") ? [join(folder, "bash")] : []));
  return [...usual, ...onPath].find(isExecutable) ?? "/bin/sh";
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
