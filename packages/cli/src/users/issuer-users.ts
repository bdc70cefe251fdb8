import type { JwtUsersOptions } from "@skillwright/server/users";
import type { CliContext } from "../cli-context.js";
import { importUsers } from "../serve/import-server.js";
import { issuerKeys } from "./issuer-keys.js";

/** How the command line names the users of a server. */
export interface UserFlags {
  /** The value of `iss` in the users' tokens; missing where the server has one user. */
  readonly issuer?: string;
  /** Address of the issuer's keys. Defaults to the one in the issuer's metadata. */
  readonly keys?: string;
  /** Required value of `aud`. */
  readonly audience?: string;
}

/**
 * Returns a function that tells whose request it is by the tokens of the issuer.
 * @throws SkillError `BACKEND_FAILED` if the issuer's metadata names no keys; `CONFIG_INVALID` for keys without encryption;
 * `UNSUPPORTED` where the server's package is not installed.
 */
export async function issuerUsers(
  { issuer, keys, audience }: Required<Pick<UserFlags, "issuer" | "audience">> & UserFlags,
  { signal, remark }: Pick<CliContext, "signal" | "remark">,
) {
  const jwtUsers = await importUsers();
  const options: JwtUsersOptions = { keys: keys ?? (await issuerKeys(issuer, signal)), issuer, audience };
  return jwtUsers({ ...options, onError: (error) => remark((error as Error).message) });
}
