import { memoryRepository } from "@skillwright/repository-memory";
import { eligible, skillBox } from "@skillwright/skillbox";
import { expect, test } from "vitest";
import { containerHost } from "../src/skills/container-host.js";

const needsPython =
  "---\nname: sums\ndescription: Sums.\ncompatibility: Requires python3\nmetadata:\n  openclaw:\n    requires:\n      bins: [python3]\n---\nRun sums.py.";

test("a skill whose program the image lacks is left out, and the refusal names image and remedy", async () => {
  const catalog = (programs: readonly string[] | undefined) =>
    eligible(skillBox({ own: memoryRepository({ skills: { sums: { "SKILL.md": needsPython } } }) }), {
      host: containerHost({ env: {}, image: "node:22", programs }),
    });
  const { skills, diagnostics } = await catalog(["node", "sh"]).snapshot();
  expect(skills).toEqual([]);
  expect(diagnostics).toMatchObject([
    {
      code: "skill.ineligible",
      message: expect.stringContaining('needs "python3", which the image node:22 lacks'),
      hint: expect.stringMatching(/--image.*docker\/skill-runner/),
    },
  ]);
  await expect(catalog(["node", "sh"]).load("sums")).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringMatching(/the image node:22 lacks.*--image.*docker\/skill-runner/s),
  });
  expect((await catalog(["python3", "sh"]).snapshot()).skills).toHaveLength(1);
  expect((await catalog(undefined).snapshot()).skills).toHaveLength(1);
});
