/** Every position of the grammar where a second command can stand. `A` is an allowed command, `B` another one. */
export const positions: readonly string[] = [
  "A && B", "A; B", "A || B", "A | B", "A & B", "A |& B", "A\nB", "A &&\nB", "A &\nB", "B && A", "B | A", "! B", "time B", "time -p B", "A; ! B", "( B )", "( A; B )", "{ A; B; }", "coproc B", "coproc P { B; }",
  "A $(B)", "A `B`", 'A "$(B)"', 'A "`B`"', "A <(B)", "A >(B)", "A $(A $(B))", "A `A \\`B\\``", "A $(A `B`)", 'A "a $(A "$(B)") b"', "A > $(B)", "A < <(B)", "A 2> >(B)", "A <<< $(B)", 'A <<< "$(B)"',
  "A <<E\n$(B)\nE", "A <<E\n`B`\nE", "A <<-E\n\t$(B)\n\tE", 'A <<E\n${x:-$(B)}\nE', "A <<E; B\nx\nE", "A <<'E'\nx\nE\nB", "A <<E <<F\nx\nE\n$(B)\nF",
  "x=$(B)", "x=$(B) A", "x=`B` A", 'x="$(B)"', "x+=$(B)", "x=(1 $(B))", "x[$(B)]=1", "x=([$(B)]=1)", "export x=$(B)", "declare x=$(B)", "readonly x=`B`",
  "A ${x:-$(B)}", 'A "${x:-$(B)}"', "A ${x:=`B`}", "A ${x/a/$(B)}", "A ${x/$(B)/a}", "A ${x#$(B)}", "A ${x%%`B`}", "A ${x:$(B)}", "A ${x:1:$(B)}", "A ${x[$(B)]}", "A ${x^^$(B)}", "A ${x:?$(B)}", "A ${x:+$(B)}",
  "A $((1 + $(B)))", "A $(( x[$(B)] ))", "(( x = $(B) ))", "(( $(B) )) && A", "A $[ $(B) ]", "let x=$(B)", "for (( i = $(B); i < 1; i++ )); do A; done", "for (( ; ; )); do B; done",
  "[[ -n $(B) ]]", "[[ a == $(B) ]]", '[[ a =~ $(B) ]]', "[[ ! ( -f $(B) ) ]]", "[[ -f x || $(B) ]]", "[ $(B) ]", "test $(B)",
  "if A; then B; fi", "if B; then A; fi", "if A; then A; elif B; then A; fi", "if A; then A; else B; fi", "while B; do A; done", "while A; do B; done", "until B; do A; done", "for x in $(B); do A; done", "for x in 1; do B; done",
  "for x; do B; done", "select x in 1; do B; done", "select x in $(B); do A; done", "case x in x) B;; esac", "case $(B) in x) A;; esac", "case x in $(B)) A;; esac", "case x in a) A;; *) B; esac", "case x in a) A;& b) B;; esac",
  "f() { B; }", "f() { A; }; B", "function f { B; }", "f() ( B )", "f() { A; } > $(B)", "git() { B; }; A", "{ A; } > $(B)", "( A ) 2> $(B)", "A {a,$(B)}", "A a{$(B),b}c", "A *$(B)", "A ~$(B)", "A $'x' $(B)", 'A $"$(B)"',
  "eval B", "eval 'B'", 'eval "B"', "eval A '&&' B", "bash -c 'B'", "sh -c 'A; B'", 'bash -c "A; B"', "bash -lc 'B'", "bash -euxc 'B'", "env B", "env -i B", "env X=1 B", "env -u X B", "nohup B", "nice B", "nice -n 5 B", "nice -10 B",
  "timeout 5 B", "timeout -k 1 -s KILL 5 B", "command B", "builtin B", "exec B", "sudo B", "sudo -u root B", "setsid B", "stdbuf -oL B", "ionice -c 3 B", "A | xargs B", "A | xargs -n 1 B", "A | xargs -I{} B {}", "A | xargs bash -c 'B'",
  "find . -exec B \\;", "find . -exec A \\; -exec B {} +", "find . -ok B ';'", "watch B", "watch -n 1 'B'", "trap 'B' EXIT", "trap \"B\" INT TERM", "env timeout 5 nice B", "timeout 5 bash -c 'nohup B'", "sudo env X=1 bash -c 'B'", "doas B", "time nohup B",
  "A \\\n&& B", "A # comment\nB", "A # '\nB", "A; # B\nB", "\nB", "  B", "\tB", "A;B", "A&&B", "A|B", "A\n\n\nB", "A 'x\ny'; B", "A \"x\ny\" && B", "A x\\\ny; B", ">x B", "<x B", "2>&1 B", "x=1 B", "x=1 y=2 B", "A > x; B", "A >x 2>&1 | B",
];
