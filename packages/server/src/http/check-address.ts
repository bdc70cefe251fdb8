import { SkillError } from "@skillwright/core";

/**
 * Checks the address of a request, which HTTP servers take from its first line as it was sent.
 * @throws SkillError `INPUT_INVALID` for an address with a user, of which no web-standard request can be made.
 */
export function checkAddress(url: string): void {
  if (!/^[a-z]+:\/\/[^/?#]*@/i.test(url)) return;
  const message =
    "The address of this request has a user or a password before the host. Send credentials in the header Authorization.";
  throw new SkillError("INPUT_INVALID", message);
}
