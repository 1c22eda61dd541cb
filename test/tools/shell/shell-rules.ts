import { permissionRules, type PermissionRule } from "throughline";
import { analyzeCommand, type CommandAnalysis } from "throughline/tools/shell";

/** What rules come to for a command, as the engine applies them: the most restrictive answer, and never "allow" where something is unaccounted for. */
export async function judged(command: string, ...rules: (string | PermissionRule)[]): Promise<"allow" | "ask" | "deny"> {
  return judgedAnalysis(await analyzeCommand(command), rules);
}

async function judgedAnalysis({ atoms, unaccounted }: CommandAnalysis, rules: readonly (string | PermissionRule)[]): Promise<"allow" | "ask" | "deny"> {
  const policy = permissionRules(rules.map((rule): PermissionRule => (typeof rule === "string" ? { permission: "bash", pattern: rule, action: "allow" } : rule)));
  const decision = await policy.decide({
    sessionID: "ses", rootID: "ses", agent: "build", tool: "bash", messageID: "msg", callID: "call", permission: "bash", patterns: atoms.map(({ text }) => text), input: {}, defaultAction: "ask",
  });
  return decision.action === "allow" && unaccounted.length > 0 ? "ask" : decision.action;
}

export const deny = (pattern: string): PermissionRule => ({ permission: "bash", pattern, action: "deny" });

export async function textsOf(command: string): Promise<string[]> {
  return (await analyzeCommand(command)).atoms.map(({ text }) => text);
}
