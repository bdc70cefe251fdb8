import { chmod, lstat, mkdir, readdir, readFile, readlink, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SKILL_LINKS } from "@skillwright/core/adapter";
import { afterEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { localSubject, temporaryDirectory } from "./local-subject.js";
import { printed, runText } from "./running.js";
import { skillDirectory } from "./skill-directory.js";

const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function setUp(isolation: "sandbox" | "none") {
  const subject = await localSubject(isolation);
  undo.push(subject.dispose);
  const workspace = await subject.runtime.create("w1");
  const skill = await skillDirectory();
  undo.push(skill.remove);
  return { ...subject, workspace, skill };
}

if (hasAll("bubblewrap"))
  describe("in a sandbox", () => {
    test("a skill's directory is mounted from its place; no file is copied", async () => {
      const { workspace, skill, root } = await setUp("sandbox");
      await workspace.stage(skill.staged);
      expect(await readdir(join(root, "w1/tree/skills/demo"))).toEqual([]);
      expect(await printed(workspace, "scripts/run.sh > out/a; cat out/a", { cwd: "skills/demo" })).toBe(
        "ran\n",
      );
    });

    test("another digest is visible from the next run on, and a run in progress keeps the previous one", async () => {
      const { workspace, skill } = await setUp("sandbox");
      const second = await skillDirectory();
      undo.push(second.remove);
      await writeFile(join(second.path, "SKILL.md"), "second\n");
      await workspace.stage(skill.staged);
      const slow = printed(workspace, "touch out/began; sleep 0.5; cat skills/demo/SKILL.md");
      await expect.poll(async () => (await workspace.list("out")).length).toBe(1);
      await workspace.stage({ ...skill.staged, digest: "sha256:2", directory: second.path });
      expect(await printed(workspace, "cat skills/demo/SKILL.md")).toBe("second\n");
      expect(await slow).toBe(skill.text);
    });

    test("a directory that is inaccessible to the commands' user is copied", async () => {
      const { workspace, skill, root } = await setUp("sandbox");
      await chmod(skill.path, 0o700);
      await workspace.stage(skill.staged);
      const copied = (await readdir(join(root, "w1/tree/skills/demo"))).length > 0;
      expect(copied).toBe(process.geteuid?.() === 0);
      expect(await printed(workspace, "cat skills/demo/SKILL.md; skills/demo/scripts/run.sh")).toBe(
        `${skill.text}ran\n`,
      );
    });

    test("a copied skill is read-only too", async () => {
      const { workspace } = await setUp("sandbox");
      const files = async function* () {
        yield { path: "SKILL.md", content: "text\n" };
      };
      await workspace.stage({ name: "copied", digest: "sha256:3", files });
      await runText(
        workspace,
        "cd skills/copied; chmod u+w . SKILL.md; echo evil > SKILL.md; touch new; cd ..; mv copied x",
      );
      expect(await printed(workspace, "cd skills/copied && cat SKILL.md; ls")).toBe(
        "text\nSKILL.md\ninputs\nout\nwork\n",
      );
    });

    test("a staged directory that vanished prevents commands from starting, and the error names it", async () => {
      const { workspace, skill } = await setUp("sandbox");
      await workspace.stage(skill.staged);
      await rename(skill.path, `${skill.path}-gone`);
      undo.push(() => rename(`${skill.path}-gone`, skill.path));
      await expect(runText(workspace, "true")).rejects.toMatchObject({
        code: "BACKEND_FAILED",
        message: expect.stringContaining(skill.path),
      });
    });

    test("a runtime without isolation stages again what it cannot mount", async () => {
      const { workspace, skill, root } = await setUp("sandbox");
      await workspace.stage(skill.staged);
      const { localRuntime } = await import("../src/index.js");
      const plain = localRuntime({ root, isolation: "none" });
      undo.push(() => plain.close());
      const attached = await plain.attach("w1");
      expect(attached?.root).toBe(join(root, "w1/tree"));
      expect(await attached?.staged()).toEqual(new Map());
      await attached?.stage(skill.staged);
      expect(await readFile(join(root, "w1/tree/skills/demo/SKILL.md"), "utf8")).toBe(skill.text);
      expect((await workspace.staged()).get("demo")).toBe("sha256:1");
      expect(await printed(workspace, "cat skills/demo/SKILL.md")).toBe(skill.text);
    });
  });

describe("without isolation", () => {
  test("LINK-07, LINK-09: a skill is copied, read-only, with unchanged links, and shares no file", async () => {
    const { workspace, skill } = await setUp("none");
    await workspace.stage(skill.staged);
    const copy = join(workspace.root, "skills/demo");
    const modes = async (path: string) => ((await lstat(join(copy, path))).mode & 0o777).toString(8);
    expect([
      await modes(""),
      await modes("scripts"),
      await modes("SKILL.md"),
      await modes("scripts/run.sh"),
    ]).toEqual(["555", "555", "444", "555"]);
    for (const [name, target] of Object.entries(SKILL_LINKS))
      expect(await readlink(join(copy, name))).toBe(target);
    await runText(workspace, "chmod -R u+w skills/demo; echo evil >> skills/demo/SKILL.md");
    expect(await readFile(join(skill.path, "SKILL.md"), "utf8")).toBe(skill.text);
  });

  test("a skill that is replaced, unstaged or destroyed leaves nothing, read-only or not", async () => {
    const { workspace, skill, root, runtime } = await setUp("none");
    await workspace.stage(skill.staged);
    await workspace.stage({ ...skill.staged, digest: "sha256:2" });
    await workspace.unstage("demo");
    expect(await readdir(join(root, "w1/incoming"))).toEqual([]);
    expect(await readdir(join(root, "w1/tree/skills"))).toEqual([]);
    await workspace.stage(skill.staged);
    await runtime.destroy("w1");
    expect((await readdir(root)).filter((name) => name !== ".skillwright")).toEqual([]);
  });

  test("the record is stored beside the tree, in a format with a version", async () => {
    const { workspace, skill, root } = await setUp("none");
    await workspace.stage(skill.staged);
    expect(JSON.parse(await readFile(join(root, "w1/record.json"), "utf8"))).toEqual({
      formatVersion: 1,
      id: "w1",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      staged: { demo: { digest: "sha256:1" } },
    });
  });

  test("a record of a later version is refused with the remedy", async () => {
    const { runtime, root } = await setUp("none");
    await writeFile(join(root, "w1/record.json"), '{"formatVersion":2}');
    await expect(runtime.attach("w1")).rejects.toMatchObject({
      message: expect.stringContaining("format 2"),
    });
  });

  test("a skill from a path that is not a directory is refused", async () => {
    const { workspace, skill } = await setUp("none");
    for (const directory of ["relative/path", "/no/such/directory", join(skill.path, "SKILL.md")])
      await expect(workspace.stage({ ...skill.staged, directory })).rejects.toMatchObject({
        code: "INPUT_INVALID",
      });
  });

  test("many concurrent stagings keep all of them", async () => {
    const { workspace, skill } = await setUp("none");
    const names = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
    await Promise.all(names.map((name) => workspace.stage({ ...skill.staged, name })));
    expect([...(await workspace.staged()).keys()].sort()).toEqual([...names].sort());
  });
});

test("a skill named like a property of every object is an ordinary skill", async () => {
  const { workspace, skill } = await setUp("none");
  for (const name of ["__proto__", "constructor"]) {
    expect((await workspace.staged()).has(name)).toBe(false);
    await workspace.stage({ ...skill.staged, name });
    expect((await workspace.staged()).get(name)).toBe("sha256:1");
    expect(await printed(workspace, "cat SKILL.md", { cwd: `skills/${name}` })).toBe(skill.text);
  }
});

test("a directory with subdirectories is copied completely", async () => {
  const { workspace } = await setUp("none");
  const { path, remove } = await temporaryDirectory();
  undo.push(remove);
  for (let index = 0; index < 120; index++) {
    await mkdir(join(path, `d${index}`));
    await writeFile(join(path, `d${index}/f`), String(index));
  }
  await workspace.stage({ name: "many", digest: "sha256:4", directory: path, files: async function* () {} });
  expect(await printed(workspace, "cat skills/many/d*/f | wc -c")).toBe("250\n");
});
