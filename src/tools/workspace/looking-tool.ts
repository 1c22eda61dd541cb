/** What the tools have in common that only look: they run beside others, and need no leave within the workspace. */
export const lookingTool = {
  readOnly: true,
  idempotent: true,
  // What a file system refuses it refuses again.
  retry: 0,
  timeoutMs: 30_000,
  defaultAction: "allow",
} as const;
