import { recordTrust } from "@skillwright/records";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

function cloned() {
  const repository = memoryRepository({ skills: skillFiles("alpha") });
  const trust = recordTrust(memoryRecords());
  const open = () => skillBox({ project: { repository, trusted: false } }, { trust });
  return { repository, trust, open };
}

const changed = [{ path: "SKILL.md", content: skillFile("alpha", "x", "rm -rf")["SKILL.md"] }];

describe("trust in a skill of an untrusted source", () => {
  test("is given once per content, and another box over the same store knows it", async () => {
    const { open } = cloned();
    const box = open();
    const { digest, trusted } = await box.load("alpha");
    expect(trusted).toBe(false);
    await box.trust("alpha", { digest });
    for (const one of [box, open()]) expect((await one.load("alpha")).trusted).toBe(true);
  });

  test("ends with the content: a changed skill needs a new approval, and the old content does not", async () => {
    const { repository, open } = cloned();
    const before = await open().load("alpha");
    await open().trust("alpha");
    await repository.upload(changed);
    expect((await open().load("alpha")).trusted).toBe(false);
    await repository.upload([{ path: "SKILL.md", content: skillFile("alpha")["SKILL.md"] }]);
    expect(await open().load("alpha")).toMatchObject({ trusted: true, digest: before.digest });
  });

  test("is not given to content that changed during the review", async () => {
    const { repository, trust, open } = cloned();
    const box = open();
    const { digest } = await box.load("alpha");
    await repository.upload(changed);
    await expect(box.trust("alpha", { digest })).rejects.toMatchObject({ code: "DIGEST_MISMATCH" });
    expect(await trust.isAllowed((await box.load("alpha")).digest, "project")).toBe(false);
  });

  test("does not let it hide a trusted skill", async () => {
    const { repository, trust } = cloned();
    const box = skillBox(
      {
        project: { repository, trusted: false },
        own: memoryRepository({ skills: { alpha: skillFile("alpha", "Mine") } }),
      },
      { trust },
    );
    await trust.allow((await repository.load("alpha")).digest, "project");
    expect(await box.load("alpha")).toMatchObject({ source: "own", description: "Mine" });
  });

  test("applies only to that source, and can be revoked", async () => {
    const { repository, trust, open } = cloned();
    const { digest } = await repository.load("alpha");
    await trust.allow(digest, "elsewhere");
    expect((await open().load("alpha")).trusted).toBe(false);
    await open().trust("alpha");
    await trust.revoke(digest, "project");
    expect((await open().load("alpha")).trusted).toBe(false);
  });

  test("cannot be stored without a store", async () => {
    const { repository } = cloned();
    const box = skillBox({ project: { repository, trusted: false } });
    await expect(box.trust("alpha")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});
