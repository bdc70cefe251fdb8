import { createHash } from "node:crypto";

/**
 * Counts the expected descriptions that are among the found ones, each found one counted once. Both sides are trimmed, with
 * runs of white space as one space, without control characters, as the corpus compares. An expected text can be
 * `{ length, sha256 }`; a skill that must not load expects `null` and never agrees.
 */
export function countAgreeing(expected, found) {
  const left = new Map();
  for (const description of found) {
    if (description === undefined) continue;
    for (const key of [plain(description), hashed(description)]) left.set(key, (left.get(key) ?? 0) + 1);
  }
  let agreeing = 0;
  for (const description of expected) {
    if (description === null) continue;
    const key = typeof description === "string" ? plain(description) : `sha256:${description.sha256}`;
    const count = left.get(key) ?? 0;
    if (count === 0) continue;
    left.set(key, count - 1);
    agreeing++;
  }
  return agreeing;
}

function plain(text) {
  return text
    .replace(/\p{Cc}/gu, (character) => (/\s/.test(character) ? character : ""))
    .trim()
    .replace(/\s+/g, " ");
}

function hashed(text) {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
