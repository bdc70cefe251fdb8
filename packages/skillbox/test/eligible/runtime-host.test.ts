import type { RuntimeCapabilities } from "@skillwright/core/adapter";
import { memoryRepository } from "@skillwright/repository-memory";
import { eligible, runtimeHost, skillBox } from "@skillwright/skillbox";
import { expect, test } from "vitest";

const needsPython =
  "---\nname: sums\ndescription: Sums.\ncompatibility: Requires python3\nmetadata:\n  openclaw:\n    requires:\n      bins: [python3]\n---\nRun sums.py.";
const own = {
  isolation: { level: "container", by: "an engine" },
  ...{ limits: [], networkOff: true, endsTree: true, readOnlySkills: true },
} as const;

/** A catalogue with that skill, over a runtime that tells what `answer` returns. */
function catalogOver(answer: () => Promise<RuntimeCapabilities>) {
  const repository = memoryRepository({ skills: { sums: { "SKILL.md": needsPython } } });
  const host = runtimeHost(
    { capabilities: answer },
    { env: {}, place: "the image node:22", remedy: "Give another image." },
  );
  return eligible(skillBox({ own: repository }), { host });
}

test("a skill whose program the image lacks is left out, and the refusal names place and remedy (ELIG-11)", async () => {
  const catalog = catalogOver(async () => ({ ...own, programs: ["node", "sh"] }));
  const { skills, diagnostics } = await catalog.snapshot();
  expect(skills).toEqual([]);
  expect(diagnostics).toMatchObject([
    {
      code: "skill.ineligible",
      message: expect.stringContaining('needs "python3", which the image node:22 lacks'),
      hint: expect.stringContaining("Give another image."),
    },
  ]);
  await expect(catalog.load("sums")).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringMatching(/the image node:22 lacks.*Give another image/s),
  });
});

test("a skill is offered where the image has its program, and where the runtime cannot tell (ELIG-11)", async () => {
  for (const programs of [["python3", "sh"], undefined]) {
    const catalog = catalogOver(async () => (programs ? { ...own, programs } : own));
    expect((await catalog.snapshot()).skills).toHaveLength(1);
  }
  const unreachable = catalogOver(() => Promise.reject(new Error("no engine")));
  expect((await unreachable.snapshot()).skills).toHaveLength(1);
});

test("what the runtime tells later counts from the next snapshot on (ELIG-11)", async () => {
  let programs = ["sh"];
  const catalog = catalogOver(async () => ({ ...own, programs }));
  expect((await catalog.snapshot()).skills).toEqual([]);
  programs = ["sh", "python3"];
  expect((await catalog.snapshot()).skills).toHaveLength(1);
});
