import { Secret } from "@skillwright/core";

/**
 * Whether an HTTP header can carry the key: printable ASCII on one line, not empty. Blanks and line ends around it are not
 * part of it.
 */
export function isUsableKey(key: string | Secret): boolean {
  return /^[\x20-\x7e]+$/.test((key instanceof Secret ? key.reveal() : key).trim());
}

/** What is expected of a key. */
export const USABLE_KEY =
  "printable ASCII characters on one line, which an HTTP header can carry. Check how the key was copied";
