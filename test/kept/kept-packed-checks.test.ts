import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { checks } from "../../scripts/checks.mjs";
import { keptChecks } from "../release/kept-checks.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/skillwright-packed-`);
  vi.stubEnv("XDG_CACHE_HOME", folder);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["base", "user", "other"]) pack(name, "first");
});

test("checks of a package run again only if its tarball, or one of ours that it installs, has changed", async () => {
  expect(await ran()).toEqual(["base", "user", "other"]);
  expect(await ran()).toEqual([]);
  pack("other", "second");
  expect(await ran()).toEqual(["other"]);
  pack("base", "second");
  expect(await ran()).toEqual(["base", "user"]);
});

test("checks run again with another Node, another date or another expectation, and when they are forced to", async () => {
  await ran();
  const all = ["base", "user", "other"];
  expect(await ran({ nodes: [{ version: "2.0.0" }] })).toEqual(all);
  expect(await ran({ expected: { asOf: "2026-02-02", packages: {} } })).toEqual(all);
  const brings = { "@skillwright/user": { direct: [], installs: ["one"] } };
  expect(await ran({ expected: { asOf: "2026-01-01", packages: brings } })).toEqual(["user"]);
  expect(await ran({ isForced: true })).toEqual(all);
});

test("a group with a failed check, or without any, is not kept", async () => {
  const kept = keptChecks(checks(), options());
  const failing = async (check: ReturnType<typeof checks>["check"]) => {
    await check("passes", () => undefined);
    await check("fails", () => {
      throw new Error("planted fault");
    });
  };
  const run = vi.fn(failing);
  await kept("user", [], run);
  await kept("user", [], run);
  const empty = vi.fn(async () => undefined);
  await kept("nothing", [], empty);
  await kept("nothing", [], empty);
  expect([run.mock.calls.length, empty.mock.calls.length]).toEqual([2, 2]);
});

function pack(name: string, content: string): void {
  writeFileSync(`${folder}/${name}.tgz`, content);
}

function options() {
  const one = (name: string, manifest = {}) => ({
    ...{ name: `@skillwright/${name}`, manifest, tarball: `${folder}/${name}.tgz` },
  });
  return {
    packed: [one("base"), one("user", { peerDependencies: { "@skillwright/base": "1" } }), one("other")],
    nodes: [{ version: "1.0.0" }],
    expected: { asOf: "2026-01-01", packages: {} },
    isForced: false,
  };
}

/** The packages whose checks ran. */
async function ran(changes: Partial<ReturnType<typeof options>> = {}): Promise<readonly string[]> {
  const all = { ...options(), ...changes };
  const kept = keptChecks(checks(), all);
  const names: string[] = [];
  for (const one of all.packed)
    await kept(one.name, [one], async (check) => {
      names.push(one.name.replace("@skillwright/", ""));
      await check("passes", () => undefined);
    });
  return names;
}
