import type { GitCredentials } from "../source/git-url.js";

/**
 * A credential helper that prints values from the environment, so that they appear in no process list, and stores
 * nothing.
 */
const HELPER =
  '!f() { if test "$1" = get; then printf "username=%s\\npassword=%s\\n" "$SKILLWRIGHT_GIT_USERNAME" "$SKILLWRIGHT_GIT_PASSWORD"; fi; }; f';

export interface CredentialArguments {
  readonly settings: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Passes the credentials of a URL through a helper for its origin only, instead of the user's helpers, which would
 * store them.
 */
export function credentialArguments(credentials: GitCredentials | undefined): CredentialArguments {
  if (!credentials) return { settings: [], environment: {} };
  const { origin, username, password } = credentials;
  const key = `credential.${origin}.helper`;
  return {
    settings: ["-c", `${key}=`, "-c", `${key}=${HELPER}`],
    environment: { SKILLWRIGHT_GIT_USERNAME: username, SKILLWRIGHT_GIT_PASSWORD: password },
  };
}
