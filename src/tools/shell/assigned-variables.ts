/** Variables that change which program runs, or what runs along with it. */
const commanding =
  /^(PATH|CDPATH|IFS|ENV|BASH_ENV|BASH_FUNC_.*|BASH_XTRACEFD|BASH_LOADABLES_PATH|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|SHELL|GLOBIGNORE|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|GIT_.*|SSH_ASKPASS|SUDO_ASKPASS|.*PAGER|.*EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|MANOPT|TERMINFO.*|HOME|TMPDIR|XDG_CONFIG_.*|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|PYTHON.*|PERL5.*|PERLLIB|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|CLASSPATH|CARGO_.*|RUSTC.*|RUSTFLAGS|GO(FLAGS|ROOT|PATH|PROXY)|CC|CXX|LD|AR|MAKEFLAGS|MAKEFILES|DOCKER_(HOST|CONFIG)|KUBECONFIG|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|GREP_OPTIONS|WGETRC|CURL_HOME|OPENSSL_CONF)$/i;

/** Variables that change how much is said, and in which language. */
const harmless = /^(CI|NODE_ENV|DEBUG|VERBOSE|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|RUST_BACKTRACE|RUST_LOG)$/;

/** Whether a value of this variable may make other commands run than those that are written. */
export function changesWhatRuns(name: string): boolean {
  return commanding.test(name);
}

/** Whether no rule needs to hear of a value of this variable. */
export function isHarmlessVariable(name: string): boolean {
  return harmless.test(name);
}

/** The name that a word assigns, as in `NAME=value`, `NAME+=value` and `NAME[1]=value`. */
export function assignedName(word: string): string | undefined {
  return /^([A-Za-z_]\w*)(\[.*\])?\+?=/s.exec(word)?.[1];
}
