import { errorMessage, fieldOf } from "../../../util/error-message.ts";
import { PathRefusedError } from "./path-refused-error.ts";

/** The code of what the file system throws, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = fieldOf(error, "code");
  return typeof code === "string" ? code : undefined;
}

const explanations: Readonly<Record<string, string>> = {
  EACCES: "this process has no access to it. Work with other files, or say what you would need.",
  EPERM: "this process has no access to it. Work with other files, or say what you would need.",
  EROFS: "it is on a file system that is read-only.",
  ENOSPC: "the disk is full. Nothing was changed.",
  ENAMETOOLONG: "the name is too long. Choose a shorter one.",
  ENOTDIR: "a part of the path is a file and no directory. Look at the directory with the list tool.",
  ELOOP: "its links lead in a circle, or it was replaced by a link meanwhile. Use the path that the link leads to.",
  EMFILE: "too many files are open at present. Try again.",
  ENFILE: "too many files are open at present. Try again.",
  EBUSY: "it is in use by another program. Try again later.",
  EISDIR: "it is a directory.",
};

/** What the file system said, in words that a model can act on. What is no error of the file system stays as it is. */
export function explainSystemError(error: unknown, path: string): Error {
  const code = codeOf(error);
  const explanation = code === undefined ? undefined : explanations[code];
  if (explanation !== undefined) return new PathRefusedError(`${path}: ${explanation} (${code})`, { cause: undefined });
  return error instanceof Error ? error : new Error(errorMessage(error));
}
