import { expect, test } from "vitest";
import { lintSkill } from "../src/index.js";

const RAW = "\u001b[31m\u202e\u200b\u{e0041}";
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u;

test("findings of lint about hostile names and texts are safe to show", async () => {
  const found = await lintSkill({
    directoryName: "demo",
    files: [
      {
        path: "SKILL.md",
        kind: "file",
        content: new TextEncoder().encode(`---\nname: demo\ndescription: x\n---\n${RAW} [a](b${RAW}.md)\n`),
      },
      { path: `a${RAW}.md`, kind: "file", content: new TextEncoder().encode(RAW) },
    ],
  });
  expect(found.length).toBeGreaterThan(0);
  for (const { code, message, hint, path = "" } of found)
    expect([code, message, hint, path].join("|")).not.toMatch(UNSAFE);
});
