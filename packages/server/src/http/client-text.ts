import { SkillError } from "@skillwright/core";

/**
 * Returns the text of the error that a client may read: its message, or a general text if the server failed and the message
 * names a place on its disk.
 */
export function clientText(error: SkillError): string {
  return isWithheld(error) ? WITHHELD : error.message;
}

/** True for an error whose message is only for the operator. */
export function isWithheld(error: unknown): boolean {
  return SkillError.is(error) && OF_THE_SERVER.has(error.code) && namesPlace(error.message);
}

/** True if the text names a file or a folder of a disk. */
export function namesPlace(text: string): boolean {
  return PLACE.test(text);
}

const WITHHELD =
  "The server failed at this, and the cause is in its log. Try again later, or ask its operator with the requestId.";

/** Errors about the server's own state. Other errors are about the client's input, and name only paths that the client gave. */
const OF_THE_SERVER: ReadonlySet<string> = new Set([
  ...["CONFIG_INVALID", "BACKEND_FAILED", "ISOLATION_UNAVAILABLE", "WORKSPACE_DAMAGED", "ABORTED", "CLOSED"],
]);

/** An absolute path of POSIX or Windows, a share, one below the home folder, or an address of a file. */
const PLACE = /(?<![\w./:-])\/[^\s/]|(?<![\w])[a-z]:[\\/](?!\/)|\\\\\w|(?<![\w./])~[\\/]|file:\/\//i;
