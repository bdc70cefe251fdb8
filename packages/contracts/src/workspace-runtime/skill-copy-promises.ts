import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RuntimeWorkspace, WorkspaceRuntime } from "@skillwright/core";
import { SKILL_LINKS } from "@skillwright/core/adapter";
import { demoSkill } from "./staging-promises.js";
import { contentOf, inWorkspace, printed, type RuntimePromise } from "./subject.js";

const CHANGE =
  "echo more >> only-in-1.txt; rm SKILL.md; : > new; : > scripts/new; echo 'echo mine' > scripts/run.sh; scripts/run.sh > out/said";
const LOOK = "echo *; cat only-in-1.txt; scripts/run.sh";
const UNCHANGED = "SKILL.md inputs only-in-1.txt out scripts work\n1\nran scripts/run.sh\n";
const CHANGED = "inputs new only-in-1.txt out scripts work\n1\nmore\nmine\n";
const inSkill = { cwd: "skills/demo" };

export const skillCopyPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "skill-copies/run",
    "With `skillCopies: run`, a run may change its copy of a skill, and the next run sees the staged skill unchanged.",
    async (workspace, { runtime }) => {
      await claims(runtime, "run");
      await withDirectory(async (directory) => {
        await changedByRun(workspace, directory);
        assert.equal(await printed(workspace, LOOK, inSkill), UNCHANGED);
      });
    },
  ),
  inWorkspace(
    "skill-copies/workspace",
    "With `skillCopies: workspace`, the changes of a run to a skill stay until another digest is staged.",
    async (workspace, { runtime }) => {
      await claims(runtime, "workspace");
      await withDirectory(async (directory) => {
        await changedByRun(workspace, directory);
        await workspace.stage(demoSkill(1, { directory }));
        assert.equal(await printed(workspace, LOOK, inSkill), CHANGED);
        await printed(
          workspace,
          "mkdir -p scripts/made; : > scripts/made/file; chmod 0 scripts/made",
          inSkill,
        );
        await workspace.stage(demoSkill(2));
        assert.equal(
          await printed(workspace, "echo *", inSkill),
          "SKILL.md inputs only-in-2.txt out scripts work\n",
        );
        await printed(workspace, ": > scripts/new", inSkill);
        await workspace.unstage("demo");
        assert.equal(await printed(workspace, "ls skills"), "");
      });
    },
  ),
];

async function claims(runtime: WorkspaceRuntime, copies: "run" | "workspace"): Promise<void> {
  assert.equal((await runtime.capabilities()).skillCopies, copies, "skillCopies is not claimed");
}

/** A run changes its copy, and neither what is staged nor where it came from. */
async function changedByRun(workspace: RuntimeWorkspace, directory: string): Promise<void> {
  const skill = demoSkill(1, { directory });
  await workspace.stage(skill);
  await printed(workspace, CHANGE, inSkill);
  assert.equal(await contentOf(workspace, "out/said"), "mine\n");
  assert.deepEqual(await workspace.staged(), new Map([["demo", skill.digest]]));
  assert.deepEqual((await readdir(directory)).sort(), [
    "SKILL.md",
    "inputs",
    "only-in-1.txt",
    "out",
    "scripts",
    "work",
  ]);
  assert.equal(await readFile(join(directory, "only-in-1.txt"), "utf8"), "1\n");
}

/** The demo skill as the directory of a content store. */
async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-contract-"));
  try {
    for await (const { path, content, executable } of demoSkill().files()) {
      await mkdir(join(directory, path, ".."), { recursive: true });
      await writeFile(join(directory, path), String(content), { mode: executable ? 0o555 : 0o444 });
    }
    for (const [name, target] of Object.entries(SKILL_LINKS)) await symlink(target, join(directory, name));
    await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}
