import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SkillError } from "@skillwright/core";
import { recordTrust } from "@skillwright/records";
import { fsRecords } from "@skillwright/repository-fs";
import { memoryRecords } from "@skillwright/repository-memory";
import { expect, onTestFinished, test } from "vitest";
import { rememberedTrust } from "../src/skills/remembered-trust.js";

const tell = () => expect.unreachable("The store works.");

test("an approval for a sandbox does not cover runs without one, but the reverse holds", async () => {
  const store = recordTrust(memoryRecords());
  const apart = rememberedTrust({ store, isolated: true, tell });
  const loose = rememberedTrust({ store, isolated: false, tell });
  await apart.tools.allow("sha256:a", "project");
  expect(await apart.tools.isAllowed("sha256:a", "project")).toBe(true);
  expect(await loose.tools.isAllowed("sha256:a", "project")).toBe(false);
  // The catalogue's approval covers its content, wherever it runs.
  expect(await loose.catalog.isAllowed("sha256:a", "project")).toBe(true);

  await loose.tools.allow("sha256:b", "project");
  expect(await loose.tools.isAllowed("sha256:b", "project")).toBe(true);
  expect(await apart.tools.isAllowed("sha256:b", "project")).toBe(true);
});

test("a failing store allows nothing, fails nothing, and is reported once", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-trust-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFile(join(root, "trust"), "a file in its place");
  const problems: SkillError[] = [];
  const store = recordTrust(fsRecords({ root: join(root, "trust") }));
  const { tools } = rememberedTrust({ store, isolated: false, tell: (problem) => problems.push(problem) });
  await tools.allow("sha256:a", "project");
  expect(await tools.isAllowed("sha256:a", "project")).toBe(false);
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(join(root, "trust"))]);
});

test("an aborted call fails as such", async () => {
  const { tools } = rememberedTrust({ store: recordTrust(memoryRecords()), isolated: true, tell });
  const signal = AbortSignal.abort();
  await expect(tools.isAllowed("sha256:a", "project", { signal })).rejects.toMatchObject({ code: "ABORTED" });
});
