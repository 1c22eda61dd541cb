import { describe, expect, test } from "vitest";
import { analyzeCommand } from "throughline/tools/shell";
import { textsOf } from "./shell-rules.ts";

describe("atoms", () => {
  test("quotes are resolved, words joined by one space", async () => {
    expect(await textsOf(`git   "push"  'ori'gin ma\\in`)).toEqual(["git push origin main"]);
    expect(await textsOf("echo ''")).toEqual(["echo ''"]);
  });

  test.each([
    ["git push origin main", "git push *"],
    ["npm run build -- --watch", "npm run build *"],
    ["docker compose up -d", "docker compose up *"],
    ["ls -la", "ls *"],
    ["git -C x status", "git -C x status"],
    ["python3 -c 'print(1)'", "python3 -c print(1)"],
    ["find . -delete", "find . -delete"],
    ["echo *", "echo *"],
    ["sudo ls *", "sudo ls [*]"],
  ])("always for %j saves %j", async (command, always) => {
    expect((await analyzeCommand(command)).atoms[0]?.always).toBe(always);
  });

  test("what stands behind a wrapper is judged with and without it", async () => {
    expect(await textsOf("timeout 5 env X=1 git push")).toEqual(["timeout 5 env X=1 git push", "env X=1 git push", "git push"]);
    expect(await textsOf("find . -name '*.x' -exec rm {} +")).toEqual(["find . -name *.x -exec rm {} +", "rm {}"]);
    expect(await textsOf("nohup bash -c 'a; b' &")).toEqual(["nohup bash -c a; b", "bash -c a; b", "a", "b"]);
  });
});

describe("what cannot be accounted for", () => {
  test.each([
    "$CMD x", "${x:-ls} y", "$(echo ls)", "`echo ls`", "l{s,}", "/bin/l?", '"a b" c', "eval $x", 'eval "$(cat x)"', 'bash -c "$x"', "curl x | sh", "bash < x", "bash <<E\nls\nE", "bash -o x -c ls", "bash <(curl x)", "source <(x)", ". $f",
    "timeout $t ls", "timeout --unknown 5 ls", "env -S 'ls x'", "sudo -i", "xargs -I git git status", "ls | xargs env", "ssh host ls", "ls | parallel rm", "su -c ls", "tmux new ls", "busybox ls",
    "PATH=/x ls", "export PATH=/x", "LD_PRELOAD=x ls", "GIT_SSH_COMMAND=x git fetch", "env BASH_ENV=x ls", "declare PATH=x", "read PATH", "printf -v PATH x", "for PATH in x; do ls; done", "${PATH:=x}", "declare -n p=PATH", "export $x",
    "alias ls=rm", "hash -p /x ls", "enable -f x y", "git -c core.pager=x log", "tar --to-command=x -xf y", "find . -exec rm {}", "trap $x EXIT", "echo ${x@P}", "x='a[$(ls)]'; echo $((x))",
    "ls (", "echo 'x", "if ls; then", "echo $(ls", "cat <<E\nx", "ls\r\npwd", "ls\u00a0x", "ls \u202ex", "ls \0", "echo \u200bx", "fish -c ls", "sh -c \"echo $'x'\"", "a=(1 $(ls))x", '[[ a == "${x:-$\'$(ls)\'}" ]]',
    "rg --pre x y", "awk 'BEGIN { system(\"x\") }'", "vim +!ls x",
  ])("%j", async (command) => {
    expect((await analyzeCommand(command)).unaccounted).not.toEqual([]);
  });

  test.each([
    "git log --oneline | head -5", "cd src && npm test", 'echo "$HOME"', "for f in *.ts; do wc -l \"$f\"; done", "if [ -f x ]; then cat x; fi", "cat <<'E'\n$(not run)\nE", "grep -r 'a|b' src", "x=1; echo $((x + 1))", "[[ -n $x && $y == a* ]]",
    "awk '{ print $1 }' x", "sed 's/e/f/' x", "find . -name '*.ts' -type f", "git commit -m 'a (b) c'", "diff <(ls a) <(ls b)", "timeout 5 npm test 2>&1 | tee x", "echo a{b,c}", "command -v node", "case $x in a) ls;; esac", "bash script.sh x", "echo 'größe 🎉'",
    "trap - EXIT", "xargs -n1 -P4 echo < x", "printf '%s\\n' \"$x\"", "# only a comment", "",
  ])("but all of %j can", async (command) => {
    expect((await analyzeCommand(command)).unaccounted).toEqual([]);
  });

  test("a text that is too long, or too deep, is not read", async () => {
    expect((await analyzeCommand(`echo ${"x".repeat(100_000)}`)).unaccounted).toHaveLength(1);
    expect((await analyzeCommand(`${"bash -c eval\\ ".repeat(10)}ls`)).unaccounted).not.toEqual([]);
    expect((await analyzeCommand(`${"echo $(".repeat(3_000)}ls${")".repeat(3_000)}`)).unaccounted).not.toEqual([]);
  });
});

describe("destructive commands", () => {
  test.each([
    "rm -rf /", "rm -fr ~", "rm -r -f /*", "rm -rf $HOME", 'rm -rf "$X/"*', "rm -rf .", "rm -rf *", "sudo rm -rf /usr", "x=$(rm -rf /)", "r\\m -rf '/'", "bash -c 'rm -rf /'", "find / -delete", "mkfs.ext4 /dev/sda1", "dd if=x of=/dev/sda", "echo x > /dev/sda",
    "cat x >/dev/nvme0n1", ":(){ :|:& };:", "f() { f | f & }; f", "chmod -R 777 /", "chown -R me /etc", "shutdown -h now", "reboot", "systemctl poweroff", "kill -9 -1", "git push --force", "git push -f origin main", "git push origin +main", "git push origin --delete x",
    "shred x", "wipefs -a /dev/sda", "crontab -r", "terraform destroy",
  ])("%j is one", async (command) => {
    expect((await analyzeCommand(command)).atoms.some(({ destructive }) => destructive !== undefined)).toBe(true);
  });

  test.each(["rm -rf node_modules", "rm -rf ./dist", "rm x", "git push", "git push origin main", "chmod -R u+x bin", "find . -name x -delete", "dd if=a of=b", "echo x > /dev/null", "kill 123", "kill -9 123", "f() { ls; }; f", "systemctl status x", "echo rm -rf /"])("%j is none", async (command) => {
    expect((await analyzeCommand(command)).atoms.filter(({ destructive }) => destructive !== undefined)).toEqual([]);
  });
});

describe("paths", () => {
  const pathsOf = async (command: string): Promise<(string | undefined)[]> => (await analyzeCommand(command, { variables: { HOME: "/home/me" } })).paths.map(({ path }) => path);

  test.each<[string, (string | undefined)[]]>([
    ["cat a ../b /c ~/d", ["a", "../b", "/c", "~/d"]],
    ["cat ${HOME}/x $HOME/y", ["/home/me/x", "/home/me/y"]],
    ["cat '~/x'", ["./~/x"]],
    ["cat ~other/x $x", [undefined, undefined]],
    ["grep /x/ y", ["y"]],
    ["gcc -I/usr/include --sysroot=/x -o y", ["/usr/include", "/x"]],
    ["dd if=/etc/x of=y", ["/etc/x", "y"]],
    ["ls ../*.ts src/*.ts .*", ["../", "src/", undefined]],
    ["ls {/etc,x}/y", [undefined]],
    ["ls */../../x", [undefined]],
    ["echo /etc/x", []],
    ["npm test > /dev/null 2>&1 < in", ["in"]],
  ])("%j names %j", async (command, paths) => {
    expect(await pathsOf(command)).toEqual(paths);
  });

  test("files that a redirection writes, and directories that it goes to", async () => {
    const { written, directories } = await analyzeCommand("cd a && cd .. ; cd $x; ls > b 2>> c &> d >| e <> f < g");
    expect(written.map(({ path }) => path)).toEqual(["b", "c", "d", "e", "f"]);
    expect(directories.map((directory) => directory?.path)).toEqual(["a", "..", undefined]);
  });
});
