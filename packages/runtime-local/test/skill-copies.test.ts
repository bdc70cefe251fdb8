import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { type FileEntry, run, type StagedSkill } from "@skillwright/core/adapter";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localRuntime } from "../src/local-runtime.js";
import type { LocalRuntimeOptions } from "../src/local-runtime-options.js";
import { removeTree } from "../src/storage/remove-tree.js";
import { localSubject } from "./local-subject.js";

const SKILL: StagedSkill = {
  name: "demo",
  digest: `sha256:${"1".repeat(64)}`,
  files: async function* (): AsyncIterable<FileEntry> {
    yield { path: "SKILL.md", content: "demo" };
    yield { path: "data/list.txt", content: "first\n" };
  },
};
const command = (runId: string, text: string) => ({
  runId,
  command: text,
  cwd: "skills/demo",
  env: {},
  timeoutMs: 120_000,
  maxOutputBytes: 64 * 1024,
});

async function staged(skillCopies: LocalRuntimeOptions["skillCopies"]) {
  const { runtime, root, dispose } = await localSubject("sandbox", undefined, { skillCopies });
  const workspace = await runtime.create("w1");
  await workspace.stage(SKILL);
  return { workspace, root, [Symbol.asyncDispose]: dispose };
}

if (hasAll("bubblewrap"))
  describe("copies of skills in a sandbox", () => {
    test("two concurrent runs have a copy each, and none is left afterwards", async () => {
      await using place = await staged("run");
      const { workspace, root } = place;
      const first = await workspace.start({
        ...command("first", "echo second >> data/list.txt; echo written; read -r line; cat data/list.txt"),
        interactive: true,
      });
      for await (const { bytes } of first.output()) if (Buffer.from(bytes).includes("written")) break;
      const { stdout } = await run(workspace, command("other", "cat data/list.txt; rm data/list.txt"));
      expect(stdout.text).toBe("first\n");
      await first.write(Buffer.from("\n"));
      expect((await first.result).stdout.text).toBe("written\nfirst\nsecond\n");
      expect(await readdir(join(root, "w1", "copies"))).toEqual([]);
    });

    test("a copy is removed when the command could not be started", async () => {
      await using place = await staged("run");
      const { workspace, root } = place;
      await expect(run(workspace, { ...command("one", "true"), cwd: "skills/other" })).rejects.toSatisfy(
        (error) => SkillError.is(error, "FILE_NOT_FOUND"),
      );
      expect(await readdir(join(root, "w1", "copies"))).toEqual([]);
    });

    test.each(["run", "workspace"] as const)(
      "data that a command writes to its copy counts towards diskBytes: %s",
      async (copies) => {
        await using place = await staged(copies);
        const fill = "i=0; while :; do i=$((i + 1)); head -c 65536 /dev/zero > data/$i; done";
        const limits = { diskBytes: 2 * 1024 * 1024 };
        const { exitCode, diagnostics } = await run(place.workspace, { ...command("fill", fill), limits });
        expect(exitCode).toBe(137);
        expect(diagnostics.map(({ code }) => code)).toContain("limit.diskBytes-reached");
      },
    );

    test("a writable copy is staged again where commands may not write to it, and vice versa", async () => {
      await using place = await staged("workspace");
      const { workspace, root } = place;
      await run(workspace, command("one", "echo second >> data/list.txt"));
      await using runtime = localRuntime({ root });
      const attached = await runtime.attach("w1");
      if (!attached) throw new Error("The workspace is gone.");
      expect((await attached.staged()).size).toBe(0);
      await attached.stage(SKILL);
      expect((await run(attached, command("two", "echo third >> data/list.txt"))).exitCode).not.toBe(0);
      expect((await run(attached, command("three", "cat data/list.txt"))).stdout.text).toBe("first\n");
      expect((await workspace.staged()).size).toBe(0);
      await workspace.stage(SKILL);
      expect((await run(workspace, command("four", "echo second >> data/list.txt"))).exitCode).toBe(0);
    });

    test.each(["run", "workspace", "none"] as const)(
      "a run is refused whose skill was replaced by a link, and what it leads to is not changed: %s",
      async (copies) => {
        await using place = await staged(copies);
        const { workspace, root } = place;
        const outside = join(root, "w1", "outside");
        await mkdir(outside, { mode: 0o777 });
        await writeFile(join(outside, "kept.txt"), "kept");
        const skill = join(root, "w1", "tree", "skills", "demo");
        await removeTree(skill);
        await symlink(outside, skill);
        const write = command("one", "cat skills/demo/kept.txt; echo x > skills/demo/kept.txt");
        await expect(run(workspace, { ...write, cwd: "." })).rejects.toSatisfy((error) =>
          SkillError.is(error, "PATH_OUTSIDE"),
        );
        expect(await readdir(outside)).toEqual(["kept.txt"]);
        expect(await readFile(join(outside, "kept.txt"), "utf8")).toBe("kept");
        await rm(skill);
      },
    );

    test.each(["run", "none"] as const)(
      "copies that commands changed are not shown after the option changed to %s, even where no run names the skill",
      async (skillCopies) => {
        await using place = await staged("workspace");
        await run(place.workspace, command("one", "echo second >> data/list.txt"));
        await using runtime = localRuntime({ root: place.root, skillCopies });
        const attached = await runtime.attach("w1");
        if (!attached) throw new Error("The workspace is gone.");
        const look = { ...command("two", "ls skills"), cwd: "." };
        expect((await run(attached, look)).stdout.text).toBe("");
        await attached.stage(SKILL);
        const { stdout } = await run(attached, command("three", "cat data/list.txt"));
        expect(stdout.text).toBe("first\n");
      },
    );
  });

test.each([
  ["run", /without a sandbox/],
  ["both", /none, run or workspace/],
])("skillCopies %s without a sandbox is refused with the remedy", async (skillCopies, says) => {
  const options = { skillCopies: skillCopies as "run" };
  const { runtime, dispose } = await localSubject("none", undefined, options);
  try {
    const refused = runtime.create("w1");
    await expect(refused).rejects.toSatisfy((error) => SkillError.is(error, "CONFIG_INVALID"));
    await expect(refused).rejects.toThrow(says);
  } finally {
    await dispose();
  }
});
