import { createHash } from "node:crypto";
import { SkillError } from "@skillwright/core";
import { fileNameOf, shownAddress } from "../address/shown-address.js";

/** `sha256:` and 64 hexadecimal digits over the raw bytes. */
export function byteDigest(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

/** @throws SkillError `DIGEST_MISMATCH` with the file's name and both digests, without a query. */
export function checkBytes(bytes: Uint8Array, expected: string, url: URL): void {
  const actual = byteDigest(bytes);
  if (actual === expected) return;
  const message =
    `The file "${fileNameOf(url)}" of ${shownAddress(url)} has the digest ${actual}, but ${expected} is pinned. ` +
    "Do not use it until the reason is known; then pin the new digest.";
  throw new SkillError("DIGEST_MISMATCH", message, { details: { expected, actual } });
}
