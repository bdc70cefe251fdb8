import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileEntry, StagedSkill } from "@skillwright/core/adapter";
import { SKILL_LINKS } from "@skillwright/core/adapter";
import { failsWith } from "../fails-with.js";
import { skillMarkdown } from "../seeds.js";
import { contentOf, inWorkspace, printed, type RuntimePromise, runText } from "./subject.js";

/** A skill with a script, as files; version 2 has other files. */
export function demoSkill(version = 1, more: Partial<StagedSkill> = {}): StagedSkill {
  const files: FileEntry[] = [
    { path: "SKILL.md", content: skillMarkdown("demo", { body: `version ${version}` }) },
    { path: "scripts/run.sh", content: "#!/bin/sh\necho ran $0\n", executable: true },
    { path: `only-in-${version}.txt`, content: `${version}\n` },
  ];
  return {
    name: "demo",
    digest: `sha256:${String(version).repeat(64)}`,
    files: async function* () {
      yield* files;
    },
    ...more,
  };
}

async function entriesOf(skill: StagedSkill): Promise<readonly FileEntry[]> {
  const entries: FileEntry[] = [];
  for await (const entry of skill.files()) entries.push(entry);
  return entries;
}

export const stagingPromises: readonly RuntimePromise[] = [
  inWorkspace(
    "stage/visible",
    "stage() puts a skill at skills/<name>, with executable scripts.",
    async (workspace) => {
      await workspace.stage(demoSkill());
      const text = "ls; scripts/run.sh; test -x SKILL.md || echo plain; cat only-in-1.txt";
      assert.equal(
        await printed(workspace, text, { cwd: "skills/demo" }),
        "SKILL.md\ninputs\nonly-in-1.txt\nout\nscripts\nwork\nran scripts/run.sh\nplain\n1\n",
      );
    },
  ),
  inWorkspace(
    "stage/links",
    "In the directory of a skill, out, work and inputs lead to those of the workspace (RUN-06).",
    async (workspace) => {
      await workspace.stage(demoSkill());
      await workspace.put([{ path: "work/inputs/a.txt", content: "given\n" }]);
      await printed(
        workspace,
        "cat inputs/a.txt > out/b.txt; cd scripts; echo more >> ../out/b.txt; : > ../work/c",
        {
          cwd: "skills/demo",
        },
      );
      assert.equal(await contentOf(workspace, "out/b.txt"), "given\nmore\n");
      assert.equal(await contentOf(workspace, "work/c"), "");
    },
  ),
  inWorkspace(
    "stage/directory",
    "A skill staged from a host directory looks the same to a command as one staged from a stream.",
    async (workspace) => {
      const directory = await mkdtemp(join(tmpdir(), "skillwright-contract-"));
      try {
        for (const { path, content } of await entriesOf(demoSkill())) {
          await mkdir(join(directory, path, ".."), { recursive: true });
          await writeFile(join(directory, path), String(content), {
            mode: path.endsWith(".sh") ? 0o755 : 0o644,
          });
        }
        for (const [name, target] of Object.entries(SKILL_LINKS))
          await symlink(target, join(directory, name));
        await workspace.stage(demoSkill(1, { directory }));
        const text = "ls; scripts/run.sh > out/a; test -x SKILL.md || echo plain";
        assert.equal(
          await printed(workspace, text, { cwd: "skills/demo" }),
          "SKILL.md\ninputs\nonly-in-1.txt\nout\nscripts\nwork\nplain\n",
        );
        assert.equal(await contentOf(workspace, "out/a"), "ran scripts/run.sh\n");
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  ),
  inWorkspace(
    "stage/same-digest",
    "Staging the same digest again reads no files.",
    async (workspace, { other }) => {
      await workspace.stage(demoSkill());
      const unasked = (): never => assert.fail("The files were read again.");
      await workspace.stage(demoSkill(1, { files: unasked }));
      await (await other.attach("w1"))?.stage(demoSkill(1, { files: unasked }));
      assert.equal(await printed(workspace, "cat skills/demo/only-in-1.txt"), "1\n");
    },
  ),
  inWorkspace("stage/replaces", "Staging another digest replaces the whole skill.", async (workspace) => {
    await workspace.stage(demoSkill(1));
    await workspace.stage(demoSkill(2));
    assert.equal(await printed(workspace, "ls skills/demo | grep only; ls skills"), "only-in-2.txt\ndemo\n");
    assert.deepEqual(await workspace.staged(), new Map([["demo", demoSkill(2).digest]]));
  }),
  inWorkspace(
    "stage/failed",
    "A stage() that fails leaves the skill that was staged before.",
    async (workspace) => {
      await workspace.stage(demoSkill(1));
      const files = async function* (): AsyncIterable<FileEntry> {
        yield { path: "SKILL.md", content: "half" };
        throw new Error("the source broke");
      };
      await assert.rejects(workspace.stage(demoSkill(2, { files })));
      assert.deepEqual(await workspace.staged(), new Map([["demo", demoSkill(1).digest]]));
      assert.equal(await printed(workspace, "cat skills/demo/only-in-1.txt; ls skills"), "1\ndemo\n");
    },
  ),
  inWorkspace(
    "stage/read-only",
    "A run can neither change nor move a staged skill, nor create files in the root of the workspace.",
    async (workspace, { runtime }) => {
      assert((await runtime.capabilities()).readOnlySkills, "readOnlySkills is not claimed");
      await workspace.stage(demoSkill());
      const attempts = [
        "echo evil >> skills/demo/scripts/run.sh",
        "chmod u+w skills/demo/SKILL.md && echo evil > skills/demo/SKILL.md",
        "rm -rf skills/demo",
        "touch skills/demo/new",
        "mv skills/demo skills/other",
        "mv skills gone",
        "mkdir skills/more",
        "touch new",
        "mv work elsewhere",
        "mount -o remount,rw,bind skills/demo && touch skills/demo/new",
        "unshare -Urm true && unshare -Urm sh -c 'mount -o remount,rw,bind skills/demo; touch skills/demo/new'",
      ];
      for (const attempt of attempts)
        assert.notEqual(
          (await runText(workspace, attempt)).exitCode,
          0,
          `the command should have failed: ${attempt}`,
        );
      assert.equal(
        await printed(workspace, "ls; cd skills/demo; ls | grep new; scripts/run.sh; cat only*"),
        "out\nruns\nskills\nwork\nran scripts/run.sh\n1\n",
      );
    },
  ),
  inWorkspace(
    "stage/remembered",
    "staged() returns the name and digest of each staged skill, in every runtime.",
    async (workspace, { other }) => {
      assert.deepEqual(await workspace.staged(), new Map());
      await workspace.stage(demoSkill());
      await workspace.stage(demoSkill(2, { name: "second one" }));
      const attached = await other.attach("w1");
      const expected = new Map([
        ["demo", demoSkill(1).digest],
        ["second one", demoSkill(2).digest],
      ]);
      assert.deepEqual(new Map([...((await attached?.staged()) ?? [])].sort()), expected);
    },
  ),
  inWorkspace(
    "unstage/gone",
    "unstage() removes a skill; a skill that was not staged is not an error.",
    async (workspace) => {
      await workspace.stage(demoSkill());
      await workspace.unstage("demo");
      await workspace.unstage("demo");
      assert.equal((await workspace.staged()).size, 0);
      assert.equal(await printed(workspace, "ls skills"), "");
    },
  ),
  inWorkspace(
    "stage/bad-name",
    "stage() refuses a name that is not a single directory name.",
    async (workspace) => {
      for (const name of ["..", "../up", "/abs"])
        await failsWith(workspace.stage(demoSkill(1, { name })), "PATH_OUTSIDE", name);
      for (const name of ["", ".", "a/b", ".hidden", "a\0b"])
        await failsWith(workspace.stage(demoSkill(1, { name })), "PATH_INVALID", JSON.stringify(name));
    },
  ),
];
