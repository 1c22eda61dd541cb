import { globMatcher, type GlobMatcher } from "../search/glob-pattern.ts";

/**
 * Files that hold keys and passwords by their name, as globs: a pattern without `/` is about the name, in any folder. Data,
 * to be extended: `createWorkspaceTools({ secrets: [...secretFiles, "*.secret"] })`.
 */
export const secretFiles: readonly string[] = [
  ".env",
  ".env.*",
  "*.env",
  ".envrc",
  "id_{rsa,dsa,ecdsa,ecdsa_sk,ed25519,ed25519_sk}",
  "*.{pem,key,p8,p12,pfx,ppk,jks,keystore,kdbx,asc}",
  ".{netrc,pgpass,htpasswd,git-credentials,npmrc,pypirc}",
  "_netrc",
  "{credentials,service-account,service_account}.json",
  "**/.ssh/**",
  "**/.gnupg/**",
  "**/.aws/**",
  "**/.azure/**",
  "**/.kube/**",
  "**/.docker/config.json",
  "**/.config/{gcloud,gh}/**",
  "/proc/**/environ",
];

/** Of those, what is there to be read: examples and the public half of a pair. */
export const notSecretFiles: readonly string[] = [".env.{example,sample,template,dist,schema}", "*.env.{example,sample,template,dist}", "*.pub"];

/** Tells by its path whether a file is secret. */
export type SecretTest = (path: string) => boolean;

/** Upper and lower case do not matter: on some disks `.ENV` is `.env`. */
export function secretTest(patterns: readonly string[]): SecretTest {
  const secret = matchersOf(patterns);
  const known = matchersOf(notSecretFiles);
  const matchesAny = (matchers: readonly GlobMatcher[], path: string): boolean => matchers.some((matches) => matches(path));
  return (path) => {
    const lower = path.toLowerCase();
    return matchesAny(secret, lower) && !matchesAny(known, lower);
  };
}

function matchersOf(patterns: readonly string[]): GlobMatcher[] {
  return patterns.map((pattern) => globMatcher(pattern.toLowerCase(), { matchBase: true }));
}
