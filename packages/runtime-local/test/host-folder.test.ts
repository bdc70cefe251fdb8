import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type HostFolder, type RuntimeWorkspace, SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { localRuntime } from "@skillwright/runtime-local";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { removeTree } from "../src/storage/remove-tree.js";
import { owned } from "./owned.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error, code as never));

let base: string;
let folder: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "skillwright-folder-")));
  // Where commands run as another user, that user must be able to reach it.
  chmodSync(base, 0o755);
  folder = join(base, "project");
  mkdirSync(folder);
  owned(folder);
});

afterEach(() => removeTree(base));

function write(path: string, text: string, mode = 0o644): void {
  const whole = join(folder, path);
  makeFolder(dirname(whole));
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  owned(whole);
}

function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
  owned(path);
}

const text = (path: string) => readFileSync(join(folder, path), "utf8");

interface Subject {
  readonly runtime: WorkspaceRuntime & { readonly hostFolder: HostFolder };
  readonly workspace: RuntimeWorkspace;
  sh(command: string): Promise<number | null>;
}

async function subject(limits: { maxFiles?: number; maxBytes?: number } = {}): Promise<Subject> {
  const runtime = localRuntime({ root: join(base, "runtime"), hostFolder: { path: folder, ...limits } });
  const { hostFolder } = runtime;
  if (!hostFolder) throw new Error("The runtime has a folder.");
  const workspace = await runtime.create("w");
  let runs = 0;
  async function sh(command: string): Promise<number | null> {
    const handle = await workspace.start({
      ...{ runId: `r${runs++}`, command, cwd: "work", env: {}, timeoutMs: 60_000, maxOutputBytes: 4000 },
    });
    return (await handle.result).exitCode;
  }
  return { runtime: Object.assign(runtime, { hostFolder }), workspace, sh };
}

if (hasAll("bubblewrap"))
  describe("a folder of the user", () => {
    test("is read and changed by commands at work/project, and stays when the workspace is destroyed", async () => {
      write("a.txt", "one\n");
      const { runtime, sh } = await subject();
      await using _open = runtime;
      expect(await sh("cat project/a.txt && echo two > project/b.txt && mkdir project/d")).toBe(0);
      expect(text("b.txt")).toBe("two\n");
      await runtime.destroy("w");
      expect(readdirSync(folder).sort()).toEqual(["a.txt", "b.txt", "d"]);
    });

    test("is read, written, listed and removed by the calls for files", async () => {
      write("run.sh", "echo old\n", 0o755);
      const { runtime, workspace } = await subject();
      await using _open = runtime;
      await workspace.put([
        { path: "work/project/run.sh", content: "echo new\n" },
        { path: "work/project/sub/x.txt", content: "x" },
      ]);
      expect([text("run.sh"), statSync(join(folder, "run.sh")).mode & 0o111]).toEqual(["echo new\n", 0o111]);
      expect((await workspace.list("work/project")).map(({ path }) => path)).toEqual([
        ...["work/project/run.sh", "work/project/sub", "work/project/sub/x.txt"],
      ]);
      expect(await workspace.remove?.("work/project/sub")).toBe(true);
      expect(readdirSync(folder)).toEqual(["run.sh"]);
      await expect(workspace.remove?.("work/project")).rejects.toThrow(withCode("PATH_INVALID"));
      expect(existsSync(folder)).toBe(true);
    });

    test("is what it was after an undo: content, modes, links, empty folders and names", async () => {
      write("changed.txt", "before\n");
      write("removed/deep/file.txt", "kept");
      write("tool.sh", "run", 0o755);
      write("replaced", "a file");
      mkdirSync(join(folder, "empty"));
      owned(join(folder, "empty"));
      symlinkSync("changed.txt", join(folder, "link"));
      const { runtime, sh } = await subject();
      await using _open = runtime;
      const kept = await runtime.hostFolder.snapshot();
      expect(kept).toMatchObject({ files: 4, diagnostics: [] });
      const changes = [
        "cd project && echo after > changed.txt && rm -rf removed && chmod 600 tool.sh && rm replaced && mkdir replaced",
        "echo new > replaced/new.txt && rmdir empty && rm link && ln -s /etc link && mkfifo pipe && mkdir -p a/b/c",
      ].join(" && ");
      expect(await sh(changes)).toBe(0);
      const undone = await runtime.hostFolder.undo();
      expect(undone?.changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
        ...["added a/b/c", "changed changed.txt", "removed empty", "changed link", "added pipe"],
        ...["removed removed/deep/file.txt", "removed replaced", "added replaced/new.txt", "changed tool.sh"],
      ]);
      expect([text("changed.txt"), text("removed/deep/file.txt"), text("replaced")]).toEqual([
        ...["before\n", "kept", "a file"],
      ]);
      expect(statSync(join(folder, "tool.sh")).mode & 0o777).toBe(0o755);
      expect(readlinkSync(join(folder, "link"))).toBe("changed.txt");
      expect(readdirSync(folder).sort()).toEqual([
        ...["changed.txt", "empty", "link", "removed", "replaced", "tool.sh"],
      ]);
      expect(await runtime.hostFolder.undo()).toBeUndefined();
    });

    test("shows the changed lines of text files", async () => {
      write("list.txt", "one\ntwo\nthree\nfour\nfive\nsix\n");
      const { runtime, sh } = await subject();
      await using _open = runtime;
      expect(await runtime.hostFolder.diff()).toBeUndefined();
      await runtime.hostFolder.snapshot();
      expect(await runtime.hostFolder.diff()).toEqual({ changes: [] });
      expect(await sh("cd project && sed -i s/five/FIVE/ list.txt && printf '\\000' > data.bin")).toBe(0);
      expect(await runtime.hostFolder.diff()).toEqual({
        changes: [
          { path: "data.bin", change: "added" },
          { path: "list.txt", change: "changed", lines: [" three", " four", "-five", "+FIVE", " six"] },
        ],
      });
    });

    test("goes back snapshot by snapshot, also in a later process", async () => {
      write("a.txt", "0");
      const first = await subject();
      for (const turn of ["1", "2"]) {
        await first.runtime.hostFolder.snapshot();
        await first.sh(`printf ${turn} > project/a.txt`);
      }
      await first.runtime.close();
      const later = localRuntime({ root: join(base, "runtime"), hostFolder: { path: folder } });
      await using _open = later;
      await later.hostFolder?.undo();
      expect(text("a.txt")).toBe("1");
      await later.hostFolder?.undo();
      expect(text("a.txt")).toBe("0");
      expect(await later.hostFolder?.undo()).toBeUndefined();
    });

    test.each([
      ["files", { maxFiles: 2 }],
      ["bytes", { maxBytes: 5 }],
    ])("is refused above the limit of %s, with the remedy, and nothing is kept", async (_what, limits) => {
      for (const name of ["a", "b", "c"]) write(name, "xx");
      const { runtime } = await subject(limits);
      await using _open = runtime;
      const failure = await runtime.hostFolder.snapshot().catch((error: unknown) => error);
      expect(failure).toEqual(withCode("LIMIT_EXCEEDED"));
      expect(String(failure)).toContain("Give a smaller folder");
      expect(await runtime.hostFolder.diff()).toBeUndefined();
    });

    test("is restored where commands put links in the place of folders and files, and nothing outside is touched", async () => {
      const outside = join(base, "outside");
      mkdirSync(outside);
      writeFileSync(join(outside, "file.txt"), "outside");
      owned(outside);
      owned(join(outside, "file.txt"));
      write("dir/file.txt", "inside");
      write("file.txt", "inside");
      const { runtime, sh } = await subject();
      await using _open = runtime;
      await runtime.hostFolder.snapshot();
      const attack = `cd project && rm -rf dir file.txt && ln -s '${outside}' dir && ln -s '${outside}/file.txt' file.txt && ln -s '${outside}' more`;
      expect(await sh(attack)).toBe(0);
      await runtime.hostFolder.undo();
      expect([text("dir/file.txt"), text("file.txt"), readdirSync(folder).sort()]).toEqual([
        ...["inside", "inside"],
        ["dir", "file.txt"],
      ]);
      expect([readdirSync(outside), readFileSync(join(outside, "file.txt"), "utf8")]).toEqual([
        ["file.txt"],
        "outside",
      ]);
    });

    test("does not write through hard links when it is restored, and tells of those that lead outside", async () => {
      write("shared.txt", "old");
      linkSync(join(folder, "shared.txt"), join(base, "other-name.txt"));
      const { runtime, sh } = await subject();
      await using _open = runtime;
      const { diagnostics } = await runtime.hostFolder.snapshot();
      expect(diagnostics).toMatchObject([{ code: "folder.hard-links", severity: "warning" }]);
      expect(await sh("printf new > project/shared.txt")).toBe(0);
      await runtime.hostFolder.undo();
      expect([text("shared.txt"), readFileSync(join(base, "other-name.txt"), "utf8")]).toEqual([
        "old",
        "new",
      ]);
    });

    test("is restored where commands took all permissions away or made a tree 100 folders deep", async () => {
      write("dir/file.txt", "kept");
      const { runtime, sh } = await subject();
      await using _open = runtime;
      await runtime.hostFolder.snapshot();
      const deep =
        "i=0; while [ $i -lt 100 ]; do mkdir d && cd d || exit 1; i=$((i+1)); done; echo x > end; chmod 0 .";
      expect(await sh(`cd project && (${deep}) && chmod 0 dir/file.txt dir . `)).toBe(0);
      await runtime.hostFolder.undo();
      expect([text("dir/file.txt"), readdirSync(folder)]).toEqual(["kept", ["dir"]]);
    });

    test("tells what is not kept, and an undo leaves that alone", async () => {
      const { runtime, sh } = await subject();
      await using _open = runtime;
      expect(await sh("mkfifo project/pipe")).toBe(0);
      const { diagnostics } = await runtime.hostFolder.snapshot();
      expect(diagnostics).toMatchObject([{ code: "folder.not-kept" }]);
      await runtime.hostFolder.undo();
      expect(lstatSync(join(folder, "pipe")).isFIFO()).toBe(true);
    });

    test("keeps ten snapshots", async () => {
      const { runtime } = await subject();
      await using _open = runtime;
      for (let turn = 0; turn < 12; turn++) {
        write("a.txt", String(turn));
        await runtime.hostFolder.snapshot();
      }
      let undone = 0;
      while (await runtime.hostFolder.undo()) undone++;
      expect([undone, text("a.txt")]).toEqual([10, "2"]);
    });

    test("is not mounted where something else has its place in the workspace", async () => {
      const plain = localRuntime({ root: join(base, "runtime") });
      const first = await plain.create("w2");
      const handle = await first.start({
        ...{
          runId: "r",
          command: "ln -s /etc project",
          cwd: "work",
          env: {},
          timeoutMs: 60_000,
          maxOutputBytes: 100,
        },
      });
      expect((await handle.result).exitCode).toBe(0);
      await plain.close();
      const { runtime } = await subject();
      await using _open = runtime;
      const again = await runtime.attach("w2");
      const start = again?.start({
        ...{ runId: "s", command: "true", cwd: "work", env: {}, timeoutMs: 60_000, maxOutputBytes: 100 },
      });
      await expect(start).rejects.toThrow(withCode("PATH_OUTSIDE"));
    });
  });
