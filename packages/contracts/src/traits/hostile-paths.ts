import type { SkillErrorCode } from "@skillwright/core";
import { failsWith } from "../fails-with.js";

const OUTSIDE = ["..", "../x", "a/../../x", "a/..", "/etc/passwd", "C:/x", "c:\\x", "..\\x", "//host/share"];
const INVALID = [
  "",
  ".",
  "./a",
  "a/./b",
  "a//b",
  "a/",
  "a\\b",
  "a\u0000b",
  "a\nb",
  "a\u007fb",
  "e\u0301.md",
  "x".repeat(256),
  `${"d/".repeat(600)}f`,
];

/**
 * Asserts that the call refuses every path that leaves its directory or is not in canonical form, with the right code.
 */
export async function refusesHostilePaths(call: (path: string) => Promise<unknown>): Promise<void> {
  const refuse = (code: SkillErrorCode) => async (path: string) =>
    await failsWith(call(path), code, JSON.stringify(path.slice(0, 40)));
  for (const path of OUTSIDE) await refuse("PATH_OUTSIDE")(path);
  for (const path of INVALID) await refuse("PATH_INVALID")(path);
}
