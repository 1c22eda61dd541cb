import { describe, expect, test } from "vitest";
import { analyzeCommand } from "throughline/tools/shell";
import { deny, judged } from "./shell-rules.ts";

describe("reports from the field about rules for commands", () => {
  test.each(["&&", ";", "||", "|", "&", "\n"])("a rule for one command does not cover what is chained to it by %j", async (operator) => {
    expect(await judged("git add f", "git add *")).toBe("allow");
    expect(await judged(`git add f ${operator} git push`, "git add *")).toBe("ask");
    expect(await judged(`git add f ${operator} git push`, "git add *", "git push *")).toBe("allow");
  });

  test.each(["git status $(touch x)", "git status `touch x`", "git diff <(touch x)", 'git status "$(touch x)"'])("a substitution in an allowed command is judged, too: %s", async (command) => {
    expect(await judged(command, "git *")).toBe("ask");
    expect(await judged(command, "git *", deny("touch *"))).toBe("deny");
  });

  test.each(["AWS_PROFILE=prod aws x", "bash -c 'aws x'", "eval aws x", "env A=1 aws x"])("neither assignments nor wrappers dodge a rule: %s", async (command) => {
    expect(await judged(command, "*", deny("aws *"))).toBe("deny");
    expect(await judged(command, "aws *")).toBe("ask");
  });

  test("a variable that only says how much is written defeats no rule that was wanted", async () => {
    expect(await judged("CI=1 NO_COLOR=1 npm test", "npm test *")).toBe("allow");
  });

  test("a rule for a command covers it without arguments, and no command that begins alike", async () => {
    expect(await judged("ls", "ls *")).toBe("allow");
    expect(await judged("ls -la", "ls *")).toBe("allow");
    expect(await judged("lstmeval x", "ls *")).toBe("ask");
  });

  test("always for a chain saves a rule for each of its commands, and each is shown", async () => {
    const { atoms } = await analyzeCommand("git status && rm -rf ./tmp");
    expect(atoms.map(({ text, always }) => [text, always])).toEqual([
      ["git status", "git status *"],
      ["rm -rf ./tmp", "rm *"],
    ]);
  });

  test("a value that is denied is denied in an assignment, and quotes do not hide it", async () => {
    expect(await judged('f=.env && cat "$f"', "*", deny("*.env*"))).toBe("deny");
    expect(await judged('cat .e""nv', "*", deny("*.env*"))).toBe("deny");
    expect(await judged("cat .e\\nv", "*", deny("*.env*"))).toBe("deny");
    expect(await judged("cat $'.\\x65nv'", "*", deny("*.env*"))).toBe("deny");
  });

  test("what a variable or a wildcard stands for is uncertain, and so is the path", async () => {
    expect(await analyzeCommand('cat "$f"')).toMatchObject({ atoms: [{ text: "cat $f", uncertain: true }], paths: [{ text: "$f", path: undefined }] });
    expect(await analyzeCommand("cat .en?")).toMatchObject({ atoms: [{ text: "cat .en?", uncertain: true }] });
  });
});
