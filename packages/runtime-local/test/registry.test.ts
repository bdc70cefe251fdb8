import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { testWorkspaceRegistry } from "@skillwright/contracts";
import { SkillError, type WorkspaceRegistry } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import { localRuntime } from "../src/index.js";
import { temporaryDirectory } from "./local-subject.js";

const ID = `ws_${"1".repeat(32)}`;
const NOW = "2026-03-01T12:00:00.000Z";
const RECORD = { formatVersion: 1, workspaceId: ID, createdAt: NOW, lastUsedAt: NOW } as const;
const conflict = expect.toSatisfy((error) => SkillError.is(error, "CONFLICT"));

function registryOf(root: string): WorkspaceRegistry {
  const { registry } = localRuntime({ root, isolation: "none" });
  if (!registry) throw new Error("The local runtime has no registry.");
  return registry;
}

async function subject() {
  const { path, remove } = await temporaryDirectory();
  return { root: path, registry: registryOf(path), other: registryOf(path), dispose: remove };
}

describe("the registry of the local runtime", () => {
  testWorkspaceRegistry(test, subject);
});

/** Renames the lease's file to the name that another process would use. */
async function heldBy(root: string, change: (holder: string) => string): Promise<void> {
  const lease = join(root, ".skillwright", "registry", `${ID}.lease`);
  const [holder = ""] = await readdir(lease);
  await rename(join(lease, holder), join(lease, change(holder)));
}

test("the lease of an ended process is free at once, even if its process id was reused", async () => {
  const { root, registry, other, dispose } = await subject();
  await registry.lease(ID, { forMs: 60_000 });
  await expect(other.lease(ID, { forMs: 60_000 })).rejects.toThrow(conflict);
  await heldBy(root, (holder) => holder.replace(/^(\d+-\d+)-\d+-/, "$1-1-"));
  const second = await other.lease(ID, { forMs: 60_000 });
  await heldBy(root, (holder) => holder.replace(/^(\d+)-\d+-/, `$1-${2 ** 22 + 1}-`));
  expect(await second.renew()).toBe(false);
  await (await registry.lease(ID, { forMs: 60_000 })).release();
  await dispose();
});

test("the lease of a process in another PID namespace is held until it expires", async () => {
  const { root, registry, other, dispose } = await subject();
  await registry.lease(ID, { forMs: 60_000 });
  await heldBy(root, (holder) => holder.replace(/^\d+-\d+-/, "1-1-"));
  await expect(other.lease(ID, { forMs: 60_000 })).rejects.toThrow(conflict);
  await heldBy(root, (holder) => holder.replace(/-60000-/, "-1-"));
  // The millisecond may not be over yet.
  await (await other.lease(ID, { forMs: 60_000, waitMs: 60_000 })).release();
  await dispose();
});

test("a damaged record is reported by get, and omitted by list", async () => {
  const { root, registry, dispose } = await subject();
  await registry.put(RECORD);
  await registry.put({ ...RECORD, workspaceId: "b" });
  const file = join(root, ".skillwright", "registry", `${ID}.json`);
  await writeFile(file, (await readFile(file, "utf8")).slice(0, 20));
  expect((await registry.list()).map(({ workspaceId }) => workspaceId)).toEqual(["b"]);
  await expect(registry.get(ID)).rejects.toThrow(
    expect.toSatisfy((error) => SkillError.is(error, "WORKSPACE_DAMAGED")),
  );
  await registry.put(RECORD);
  expect(await registry.get(ID)).toEqual(RECORD);
  await dispose();
});

test("leases leave no files behind", async () => {
  const { root, registry, dispose } = await subject();
  await (await registry.lease(ID, { forMs: 1000 })).release();
  await expect.poll(() => readdir(join(root, ".skillwright", "registry"))).toEqual([]);
  await dispose();
});
