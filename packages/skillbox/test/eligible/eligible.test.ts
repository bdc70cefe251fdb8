import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { eligible, localHost, skillBox } from "@skillwright/skillbox";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SkillSettings } from "../../src/index.js";

const plain = { "SKILL.md": "---\nname: plain\ndescription: Plain words.\n---\nGo." };
const needy = {
  "SKILL.md":
    '---\nname: needy\ndescription: Needy words.\nmetadata: {"openclaw": {"requires": {"bins": ["wanted-tool"]}, "install": [{"kind": "apt", "package": "wanted"}]}}\n---\nGo.',
  "notes.md": "Notes.",
};

describe("skills that cannot be used here", () => {
  test("ELIG-01: are left out of the snapshot with a diagnostic; load, open and search say the same", async () => {
    const { catalog } = await box();
    const snapshot = await catalog.snapshot();
    expect(snapshot.skills.map(({ name }) => name)).toEqual(["plain"]);
    expect(snapshot.diagnostics).toMatchObject([
      { code: "skill.ineligible", message: expect.stringContaining('"wanted-tool"') },
    ]);
    for (const call of [
      () => catalog.load("needy"),
      () => catalog.open("needy", "notes.md"),
      async () => catalog.reader?.("needy"),
    ]) {
      const error = await call().catch((reason: unknown) => reason);
      expect(SkillError.is(error, "UNSUPPORTED")).toBe(true);
      expect(String(error)).toContain("apt-get install wanted");
    }
    expect((await catalog.search("words", { limit: 1 })).map(({ skill }) => skill.name)).toEqual(["plain"]);
  });

  test("ELIG-10: installing or removing a program during a session changes the snapshot", async () => {
    const { catalog, bin } = await box();
    const before = await catalog.snapshot();
    expect((await catalog.snapshot()).fingerprint).toBe(before.fingerprint);
    await install(bin, "wanted-tool");
    const after = await catalog.snapshot();
    expect(after.skills.map(({ name }) => name)).toEqual(["needy", "plain"]);
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect((await catalog.load("needy")).body).toBe("Go.");
    await rm(join(bin, "wanted-tool"));
    expect((await catalog.snapshot()).fingerprint).toBe(before.fingerprint);
    await expect(catalog.load("needy")).rejects.toThrow("wanted-tool");
  });

  test("ELIG-10: even where the directory of PATH was checked long before, or is created only now", async () => {
    const { catalog, bin } = await box();
    await rm(bin, { recursive: true });
    expect((await catalog.snapshot()).skills).toHaveLength(1);
    await mkdir(bin);
    await install(bin, "wanted-tool");
    expect((await catalog.snapshot()).skills).toHaveLength(2);
  });

  test("a file that cannot be executed and a folder are not programs", async () => {
    const { catalog, bin } = await box();
    await mkdir(join(bin, "wanted-tool"));
    expect((await catalog.snapshot()).skills).toHaveLength(1);
    await rm(join(bin, "wanted-tool"), { recursive: true });
    await writeFile(join(bin, "wanted-tool"), "text", { mode: 0o644 });
    expect((await catalog.snapshot()).skills).toHaveLength(1);
    await chmod(join(bin, "wanted-tool"), 0o755);
    expect((await catalog.snapshot()).skills).toHaveLength(2);
  });

  test("LIST-24: changed settings take effect with the next call", async () => {
    let settings: SkillSettings = {};
    const { catalog } = await box(() => settings);
    const before = await catalog.snapshot();
    settings = { skills: { plain: { enabled: false } } };
    const after = await catalog.snapshot();
    expect(after.skills).toEqual([]);
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect(after.diagnostics).toContainEqual(
      expect.objectContaining({ code: "skill.ineligible", severity: "info" }),
    );
    await expect(catalog.load("plain")).rejects.toThrow("disabled");
    settings = {};
    expect((await catalog.snapshot()).fingerprint).toBe(before.fingerprint);
  });

  test("configuration that is not passed to a skill is reported", async () => {
    const { catalog } = await box({ skills: { plain: { env: { LD_PRELOAD: "x" } } } });
    expect((await catalog.snapshot()).diagnostics).toContainEqual(
      expect.objectContaining({ code: "variable.blocked" }),
    );
  });

  test("a writable catalogue stays writable, and closing closes it", async () => {
    const { catalog } = await box();
    await catalog.upload("own", [
      { path: "SKILL.md", content: new TextEncoder().encode("---\nname: new\ndescription: New.\n---\n") },
    ]);
    expect((await catalog.snapshot()).skills.map(({ name }) => name)).toEqual(["new", "plain"]);
    await catalog.close();
    await expect(catalog.snapshot()).rejects.toThrow("closed");
  });
});

test("a view and a tenant's box leave them out as well", async () => {
  const { catalog } = await box();
  for (const narrow of [catalog.view({}), catalog.forTenant("ada")]) {
    expect((await narrow.snapshot()).skills.map(({ name }) => name)).toEqual(["plain"]);
    await expect(narrow.load("needy")).rejects.toThrow("wanted-tool");
  }
});

test("programs are named, never paths, and a relative entry of PATH is ignored", async () => {
  const { bin } = await box();
  await install(bin, "tool");
  const names = ["tool", "../tool", join(bin, "tool"), "", "."];
  const facts = await localHost({ env: { PATH: `relative:${bin}:` } }).look(names);
  expect(names.filter((name) => facts.hasProgram(name))).toEqual(["tool"]);
  expect(facts.systems).toEqual([process.platform]);
});

async function box(settings: SkillSettings | (() => SkillSettings) = {}) {
  const bin = await mkdtemp(join(tmpdir(), "skillwright-eligible-"));
  onTestFinished(() => rm(bin, { recursive: true, force: true }));
  const whole = skillBox({ own: memoryRepository({ skills: { plain, needy } }) });
  return { bin, catalog: eligible(whole, { host: localHost({ env: { PATH: bin } }), settings }) };
}

async function install(bin: string, name: string): Promise<void> {
  await writeFile(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
}
