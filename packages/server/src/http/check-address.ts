import { SkillError } from "@skillwright/core";

/**
 * Checks the address of a request. HTTP servers take it from the first line of the request without checking it.
 * @throws SkillError `INPUT_INVALID` for an address that contains a user, because `new Request` refuses such an address.
 */
export function checkAddress(url: string): void {
  if (!/^[a-z]+:\/\/[^/?#]*@/i.test(url)) return;
  const message =
    "The address of this request has a user or a password before the host. Send credentials in the header Authorization.";
  throw new SkillError("INPUT_INVALID", message);
}
