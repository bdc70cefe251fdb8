import { recordTrust } from "@skillwright/records";
import { memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile, skillFiles } from "./skill-file.js";

function house() {
  const trust = { acme: recordTrust(memoryRecords()), globex: recordTrust(memoryRecords()) };
  const box = skillBox(
    {
      acme: { repository: memoryRepository({ skills: skillFiles("secret-plan") }), tenant: "acme" },
      globex: { repository: memoryRepository({ skills: skillFiles("merger") }), tenant: "globex" },
      shared: { repository: memoryRepository({ skills: skillFiles("common") }), trusted: false },
    },
    { trustOf: (tenant) => trust[tenant as "acme"] },
  );
  return { box, acme: box.forTenant("acme"), globex: box.forTenant("globex") };
}

const upload = (name: string) => [{ path: "SKILL.md", content: skillFile(name)["SKILL.md"] }];

describe("a tenant", () => {
  test("sees the shared sources and its own; without a tenant only shared sources are seen", async () => {
    const { box, acme, globex } = house();
    const names = async (catalog: typeof box) => (await catalog.snapshot()).skills.map(({ name }) => name);
    expect(await names(box)).toEqual(["common"]);
    expect(await names(acme)).toEqual(["common", "secret-plan"]);
    expect(await names(globex)).toEqual(["common", "merger"]);
    expect(await names(box.forTenant("nobody"))).toEqual(["common"]);
  });

  test("cannot detect another tenant's sources with any call", async () => {
    const { acme } = house();
    for (const name of ["merger", "merge"]) {
      const error = await acme.load(name).catch((reason: Error) => JSON.stringify([reason.message, reason]));
      expect(error).not.toMatch(/globex|Did you mean/);
    }
    expect(JSON.stringify(await acme.snapshot())).not.toMatch(/globex|merger/);
    await expect(acme.upload("globex", upload("x"))).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: 'There is no skill source "globex". Choose "acme", "shared".',
    });
    expect(await acme.search("merger")).toEqual([]);
    expect((await acme.forTenant("globex").snapshot()).skills).toHaveLength(2);
  });

  test("changes its own sources and not the shared ones", async () => {
    const { box, acme } = house();
    expect((await acme.upload("acme", upload("more"))).name).toBe("more");
    for (const refused of [acme.upload("shared", upload("x")), acme.delete("shared", "common")])
      await expect(refused).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await box.upload("shared", upload("news"));
    expect((await acme.load("news")).source).toBe("shared");
  });

  test("is notified of its own and of shared changes, and of no other tenant's", async () => {
    const { box, acme, globex } = house();
    const heard: string[] = [];
    globex.subscribe(({ skills }) => heard.push(...skills.map(({ kind, name }) => `${kind} ${name}`)));
    await globex.snapshot();
    await acme.upload("acme", upload("hidden"));
    await box.upload("shared", upload("news"));
    await expect.poll(() => heard).toEqual(["added news"]);
  });

  test("approves only for itself", async () => {
    const { box, acme, globex } = house();
    await acme.trust("common");
    expect((await acme.load("common")).trusted).toBe(true);
    for (const other of [box, globex]) expect((await other.load("common")).trusted).toBe(false);
  });

  test("skills switched off for all are off for it, and it switches off only for itself", async () => {
    const { box, acme, globex } = house();
    acme.disable("common");
    expect([(await acme.snapshot()).skills.length, (await globex.snapshot()).skills.length]).toEqual([1, 2]);
    box.disable("common");
    expect((await globex.snapshot()).skills.map(({ name }) => name)).toEqual(["merger"]);
    expect(globex.enable("common")).toBe(false);
  });

  test("is closed with the box, and the box is not closed with it", async () => {
    const { box, acme, globex } = house();
    await acme.close();
    await expect(acme.snapshot()).rejects.toMatchObject({ code: "CLOSED" });
    expect((await globex.snapshot()).skills).toHaveLength(2);
    await box.close();
    await expect(globex.snapshot()).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("a tenant with an empty name is refused", () => {
    expect(() => house().box.forTenant("")).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }));
  });
});
