import fc from "fast-check";
import { expect, test } from "vitest";
import { judged } from "./shell-rules.ts";
import { positions } from "./positions.ts";

/** Commands that the rules below allow, whatever their arguments. */
const allowed = ["git status", "ls -la", "git log --oneline", "ls"];
const rules = ["git status *", "git log *", "ls *", "nothing *", "cd *"];

/** Commands that no rule allows, written in ways that a shell takes for the same. */
const forbidden = fc.constantFrom("touch x", "tou\\ch x", "t''ouch x", '"touch" x', "t\"ou\"ch x", "/usr/bin/touch x", "./touch", "git push", "gi\\t push", "lsof", "git statusx", "git", "python3 x", "touch ls", "rm x");
/** What may stand within another position: `$(` before a parenthesis would begin arithmetic, which runs nothing. */
const canBeNested = /^(?!\()[^'"`\\\n#]*$/;

test("any command made of an allowed one and another, in every position of the grammar, is never allowed", { timeout: 60_000 }, async () => {
  const position = fc.constantFrom(...positions);
  const nested = fc.tuple(position, position, fc.boolean()).map(([outer, inner, isNested]) => (isNested && canBeNested.test(inner) ? outer.replaceAll("B", () => inner) : outer));
  await fc.assert(
    fc.asyncProperty(nested, fc.constantFrom(...allowed), forbidden, async (template, a, b) => {
      const command = template.replaceAll("A", () => a).replaceAll("B", () => b);
      expect(await judged(command, ...rules), command).not.toBe("allow");
    }),
    { numRuns: 12_000 },
  );
});

test.each(positions)("%j without the other command is no accident: a denied one is found there", async (template) => {
  const command = template.replaceAll("A", () => "git status").replaceAll("B", () => "touch x");
  // Found as itself, not only doubted: the rule that denies it is what decides.
  expect(await judged(command, "*", { permission: "bash", pattern: "touch x*", action: "deny" })).toBe("deny");
});
