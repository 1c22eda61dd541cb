/**
 * How many words say what kind of command it is, where that is more than one: `git push`, `npm run build`. The longest
 * beginning that is listed counts.
 */
const arities: ReadonlyMap<string, number> = new Map(
  Object.entries({
    apt: 2, "apt-get": 2, aws: 3, az: 3, brew: 2, bun: 2, "bun run": 3, "bun x": 3, bunx: 2, bundle: 2, "bundle exec": 3, cargo: 2, "cargo run": 2,
    composer: 2, conda: 2, deno: 2, "deno task": 3, "deno run": 3, docker: 2, "docker builder": 3, "docker compose": 3, "docker container": 3, "docker image": 3,
    "docker network": 3, "docker system": 3, "docker volume": 3, "docker-compose": 2, doctl: 3, dotnet: 2, flyctl: 2, gcloud: 3, gem: 2, gh: 3, git: 2,
    "git bisect": 3, "git config": 3, "git notes": 3, "git remote": 3, "git stash": 3, "git submodule": 3, "git worktree": 3, go: 2, "go mod": 3, "go tool": 3,
    gradle: 2, "./gradlew": 2, helm: 2, heroku: 2, just: 2, kubectl: 2, "kubectl rollout": 3, "kubectl config": 3, make: 2, mix: 2, mvn: 2, netlify: 2, nix: 2, npm: 2, "npm exec": 3,
    "npm run": 3, "npm run-script": 3, npx: 2, nx: 2, pip: 2, pip3: 2, pipx: 2, "pipx run": 3, pnpm: 2, "pnpm dlx": 3, "pnpm exec": 3, "pnpm run": 3, podman: 2,
    "podman compose": 3, poetry: 2, "poetry run": 3, prisma: 2, pulumi: 2, rails: 2, rake: 2, rustup: 2, serverless: 2, service: 3, systemctl: 2,
    terraform: 2, tofu: 2, turbo: 2, "turbo run": 3, uv: 2, "uv run": 3, "uv pip": 3, uvx: 2, vercel: 2, wrangler: 2, yarn: 2, "yarn dlx": 3, "yarn run": 3,
  }),
);

/** Most words of a listed beginning. */
const longestListed = 2;

/** How many of the words say what kind of command it is. */
export function commandArity(words: readonly string[]): number {
  for (let length = longestListed; length > 0; length -= 1) {
    const arity = arities.get(words.slice(0, length).join(" "));
    if (arity !== undefined) return arity;
  }
  return 1;
}
