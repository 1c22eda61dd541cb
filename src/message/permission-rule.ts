/** One permission rule. In an ordered list the last match wins. */
export interface PermissionRule {
  /** Name of the permission, with wildcards: usually a tool's name. */
  permission: string;
  /** What of it, with wildcards, e.g. `git push*`. Default `*`. */
  pattern?: string | undefined;
  action: PermissionAction;
}

export type PermissionAction = "allow" | "deny" | "ask";
