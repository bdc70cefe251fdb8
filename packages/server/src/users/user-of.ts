import type { ServerUser } from "../server-options.js";

/** `undefined` for a name that no user may have: stores and logs take ids as they are. */
export function userOf(id: unknown): ServerUser | undefined {
  return typeof id === "string" && /^[^\p{Cc}]{1,128}$/u.test(id) ? { id } : undefined;
}
