import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type RunOutputs, SkillError, type WorkspaceRun, type WorkspaceRuntime } from "@skillwright/core";
import { memoryArtifacts, memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { withinMemory } from "../../../test/memory/within-memory.js";
import { type WorkspaceManager, workspaceManager } from "../src/index.js";
import { DEMO, ownDiagnostics, SESSION, textOf } from "./workspace-fixture.js";

const MEBIBYTE = 1024 * 1024;
/** Above the limits of outputs, and a fraction of what commands write. */
const MOST_HELD = 24 * MEBIBYTE;

export interface ContainedRuntimes {
  /** Returns a new runtime. `storageBytes` is the size of its workspaces. */
  make(options?: { readonly storageBytes?: number }): WorkspaceRuntime;
  /** False where hosts do not see the named pipes of commands. */
  readonly seesPipes?: boolean;
}

/** Registers tests of what outputs of hostile commands cannot do, for runtimes whose commands run in containers. */
export function hostileOutputs({ make, seesPipes = true }: ContainedRuntimes): void {
  const artifacts = memoryArtifacts();
  const repository = memoryRepository({ skills: { demo: DEMO } });
  let runtime: WorkspaceRuntime;
  let workspaces: WorkspaceManager;
  let id: string;

  beforeAll(async () => {
    runtime = make();
    workspaces = workspaceManager({ skills: skillBox({ own: repository }), runtime, artifacts });
    ({ id } = await workspaces.forSession(SESSION));
  });

  afterAll(async () => {
    await workspaces.close();
    for (const one of await runtime.list()) await runtime.destroy(one);
    await runtime.close();
  });

  /** With an empty `out/`, without files of the previous test. */
  async function ran(command: string, outputs: RunOutputs, more: Partial<WorkspaceRun> = {}) {
    await workspaces.run(id, {
      command: 'chmod -R u+rwx out; rm -rf out/* out/.[!.]*; cd "$WORK_DIR"; rm -rf r',
    });
    const run = { command, outputs, timeoutMs: 60_000, ...more };
    const result = await withinMemory(MOST_HELD, () => workspaces.run(id, run));
    expect((await workspaces.run(id, { command: "echo ok" })).stdout.text).toBe("ok\n");
    const diagnostics = ownDiagnostics(result.diagnostics);
    const paths = result.outputs.map(({ path }) => path);
    return { ...result, paths, codes: diagnostics.map(({ code }) => code), diagnostics };
  }

  for (const [title, command, globs] of [
    ["LINK-01: a link to a file of the system", "ln -s /etc/passwd out/p.txt", ["out/*.txt"]],
    ["LINK-02: a path through a linked directory", "ln -s /etc out/d", ["out/d/passwd"]],
    ["LINK-03: a link inside the workspace", "echo root:x > work/r; ln -s ../work/r out/r", ["out/*"]],
    ["LINK-04: out replaced by a link", 'cd "$WORKSPACE_DIR"; rm -rf out; ln -s /etc out', ["out/passwd"]],
  ] as const)
    test(`${title} yields nothing and is reported`, async () => {
      const result = await ran(command, { globs, inline: true, save: true });
      expect(result.outputs).toEqual([]);
      expect(JSON.stringify(result)).not.toContain("root:x");
      expect(result.codes.length).toBeGreaterThan(0);
    });

  test("LINK-05: an output replaced with a link while it is collected never shows the link's target", async () => {
    const swap =
      "while :; do ln -sfn /etc out/x; rm -f out/x; mkdir -p out/x; echo hi > out/x/passwd; rm -rf out/x; done";
    for (let round = 0; round < 5; round++) {
      const run = {
        command: `(${swap}) 2>/dev/null & sleep 0.05`,
        outputs: { globs: ["out/**"], inline: true },
      };
      expect(JSON.stringify(await workspaces.run(id, run))).not.toContain("root:x");
    }
  });

  test("LINK-05: a file swapped by a run while it is read in many pieces never shows a file of the host", async () => {
    const workspace = (await runtime.attach(id)) ?? expect.fail("It is there.");
    // Commands may create it in their container too.
    const target = await mkdtemp("/tmp/link-05-");
    onTestFinished(() => rm(target, { recursive: true }));
    await writeFile(`${target}/f`, "host ".repeat(100));
    await ran(
      `for i in 1 2; do mkdir out/$i; printf 'own %.0s' $(seq 50) > out/$i/f; done
      mkdir -p ${target}; printf 'container %.0s' $(seq 100) > ${target}/f`,
      { globs: ["out/**"] },
    );
    const swap = `while :; do mv out/1 work/r; ln -s ${target} out/1; rm out/1; mv work/r out/1; done`;
    const run = await workspace.start({
      runId: "swapping",
      command: swap,
      cwd: ".",
      env: {},
      timeoutMs: 60_000,
      maxOutputBytes: 100,
    });
    const seen = new Set<string>();
    const read = async () => {
      const paths = ["out/1/f", "out/2/f"];
      if (!workspace.getMany)
        for (const path of paths)
          seen.add(
            await workspace.get(path).then(textOf, (error) => (SkillError.is(error) ? "error" : error)),
          );
      for await (const file of workspace.getMany?.(paths) ?? [])
        seen.add("error" in file ? "error" : await textOf(file.content));
    };
    try {
      for (let round = 0; round < 20; round++)
        await read().catch((error: unknown) => {
          // An engine aborts an archive of files that change.
          if (!SkillError.is(error, "BACKEND_FAILED")) throw error;
        });
    } finally {
      await run.signal("SIGKILL");
      await run.result;
      await workspaces.run(id, { command: `rm -r ${target}` });
    }
    seen.delete("error");
    expect([...seen]).toContain("own ".repeat(50));
    // An engine that reads many files opens what it looked at by name, in the container's own file system.
    const shown = (workspace.getMany ? "container ".repeat(100) : "") + "own ".repeat(50);
    for (const text of seen) expect(shown).toContain(text);
  });

  test("LINK-06: files with several hard links inside the workspace are outputs", async () => {
    const result = await ran("echo x > out/a; ln out/a out/b; mkdir out/d; ln out/a out/d/c", {
      globs: ["out/**"],
      inline: true,
      save: true,
    });
    expect(result.outputs.map(({ path, content }) => [path, content])).toEqual([
      ["out/a", "x\n"],
      ["out/b", "x\n"],
      ["out/d/c", "x\n"],
    ]);
    expect(result.codes).toEqual([]);
  });

  test("FILE-20, FILE-22: pipes, sockets and devices are reported and do not block", async () => {
    const command = "mkfifo out/pipe; mknod out/n c 1 5; echo ok > out/a; echo ok > out/b";
    const result = await ran(command, { globs: ["out/*"], inline: true });
    expect(result.outputs.map(({ content }) => content)).toEqual(["ok\n", "ok\n"]);
    expect(result.codes).toEqual(seesPipes ? ["output.special-skipped"] : []);
  });

  test("FILE-23: of a sparse file beyond all limits no more than the limit is read", async () => {
    const command =
      "for f in huge huge.txt; do truncate -s 60M out/$f; done; echo ok > out/a; echo ok > out/z";
    const outputs = { globs: ["out/**"], inline: true, save: true, maxFileBytes: 4 * MEBIBYTE };
    const result = await ran(command, outputs);
    expect(result.paths).toEqual(["out/a", "out/huge", "out/huge.txt", "out/z"]);
    expect(result.outputs.map(({ artifact }) => artifact?.size)).toEqual([3, undefined, undefined, 3]);
    expect(result.codes).toContain("artifact.file-limit");
  });

  test("FILE-24: of 10,001 files the first 100 are returned, and the rest is reported", async () => {
    const command = 'i=0; while [ $i -lt 10001 ]; do echo $i > "out/$i"; i=$((i+1)); done';
    const result = await ran(command, { globs: ["out/**"], inline: true, maxFiles: 100 });
    const expected = Array.from({ length: 10_001 }, (_, i) => `out/${i}`).sort();
    expect(result.paths).toEqual(expected.slice(0, 100));
    expect(result.outputs.every(({ path, content }) => path === `out/${content?.trim()}`)).toBe(true);
    expect(result.codes).toEqual(["output.file-limit"]);
  });

  test("FILE-10: a file above the limit is not stored as complete", async () => {
    const result = await ran("head -c 5000000 /dev/zero > out/spec09; echo ok > out/b", {
      globs: ["out/*"],
      save: true,
      maxFileBytes: 1000,
    });
    expect(result.diagnostics).toMatchObject([{ code: "artifact.file-limit", path: "out/spec09" }]);
    expect(await artifacts.versions(SESSION, "out/spec09")).toEqual([]);
  });

  test("FILE-25: a name that is not text is reported, the others are returned", async () => {
    const command = String.raw`touch "$(printf 'out/bad\377')" "$(printf 'out/a\nb')"; echo ok > out/a; echo ok > 'out/é "$(x)'`;
    const result = await ran(command, { globs: ["out/*"], inline: true });
    expect(result.outputs.map(({ path, content }) => [path, content])).toEqual([
      ["out/a", "ok\n"],
      ['out/é "$(x)', "ok\n"],
    ]);
    expect(result.codes).toEqual(["output.special-skipped", "output.special-skipped"]);
  });

  test("FILE-26: a tree deeper than the maximum path length is shown up to a depth, and removed", async () => {
    // No directory that a command is in is as deep: some shells fail there.
    const half = "for i in $(seq 33); do mkdir $n && cd $n || exit 1; done";
    const deep = `n=$(printf %0120d 0); (mkdir out/r && cd out/r && ${half}; : > x); cd out; ${half}`;
    const command = `${deep}; mv "$OUTPUT_DIR/r" .; cd "$OUTPUT_DIR"; echo ok > a; ls`;
    const result = await ran(command, { globs: ["out/**"] });
    expect(result.stdout.text).toBe(`${"0".repeat(120)}\na\n`);
    expect(result.paths).toEqual(["out/a"]);
    const workspace = await runtime.attach(id);
    expect(await workspace?.remove?.(`out/${"0".repeat(120)}`)).toBe(true);
    expect((await workspace?.list("out"))?.map(({ path }) => path)).toEqual(["out/a"]);
  });

  test("FILE-27: a file without permissions is reported, and the others are returned", async () => {
    const command = "for f in a b c; do echo $f > out/$f; done; chmod 000 out/b";
    const result = await ran(command, { globs: ["out/*"], inline: true });
    expect(result.outputs.map(({ content }) => content)).toEqual(["a\n", undefined, "c\n"]);
    expect(result.diagnostics).toMatchObject([{ code: "output.unreadable", path: "out/b" }]);
  });

  test("FILE-28: a fake image is not an image", async () => {
    const command = "echo '<script>' > out/x.png; echo '<script>' > out/y.jpg";
    const result = await ran(command, { globs: ["out/*"], inline: true });
    expect(result.outputs.map(({ mimeType }) => mimeType)).toEqual(["text/plain", "text/plain"]);
  });

  test("GLOB-05: a pattern is never passed to a shell", async () => {
    const globs = ["out/*'; touch /tmp/PWNED; '", "out/$(touch /tmp/PWNED)", "out/`touch /tmp/PWNED`"];
    const result = await ran("echo ok > out/a", { globs, inline: true });
    expect(result.outputs).toEqual([]);
    const { stdout } = await workspaces.run(id, { command: 'ls /tmp "$WORKSPACE_DIR" "$OUTPUT_DIR"' });
    expect(stdout.text).not.toContain("PWNED");
  });

  test("PATH-05, PATH-06, PATH-09, PATH-10: inputs to invalid targets are refused, and nothing is written", async () => {
    await artifacts.save(SESSION, "in.txt", "in");
    const from = "artifact://in.txt";
    const refused = [
      [{ from, to: "/tmp/evil" }],
      [{ from, to: "skills/demo/scripts/hello.sh" }],
      [
        { from, to: "café.txt" },
        { from, to: "cafe\u0301.txt" },
      ],
      [{ from, to: "x".repeat(256) }],
      [{ from, to: `${"d/".repeat(2100)}f` }],
    ];
    const before = await workspaces.files(id);
    for (const inputs of refused) {
      const run = workspaces.run(id, { command: "true", skill: "demo", inputs });
      await expect(run, JSON.stringify(inputs).slice(0, 60)).rejects.toSatisfy((error) =>
        SkillError.is(error),
      );
    }
    expect(await workspaces.files(id)).toEqual(before);
    const { stdout } = await workspaces.run(id, { skill: "demo", command: "sh scripts/hello.sh x; ls /tmp" });
    expect(stdout.text).toBe("hello x\n");
  });

  test("FILE-21, RES-01: a full workspace accepts no more data, reports that, and keeps working", async () => {
    await using small = make({ storageBytes: 8 * MEBIBYTE });
    const workspace = await small.create("full");
    const put = workspace.put([{ path: "work/large", content: Buffer.alloc(20 * MEBIBYTE) }]);
    await expect(put).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    await workspace.put([{ path: "work/small", content: "small" }]);
    expect(await textOf(await workspace.get("work/small"))).toBe("small");
    expect((await workspace.list("work")).map(({ path }) => path)).toEqual(["work/inputs", "work/small"]);
    await small.destroy("full");
  });

  test("uploads and snapshots are transferred completely", async () => {
    const { id: own } = await workspaces.create();
    const files = Array.from({ length: 30 }, (_, index) => `work/d${index % 3}/${index}.txt`);
    for (const path of files.slice(0, 3)) await workspaces.write(own, path, path.repeat(1000));
    const workspace = await runtime.attach(own);
    await workspace?.put(files.map((path) => ({ path, content: path })));
    const taken = await workspaces.snapshot(own, async ({ content }) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      return Buffer.concat(pieces);
    });
    const restored = await workspaces.restore(taken);
    const names = (await workspaces.files(restored.id)).map(({ path }) => path);
    expect(names).toEqual([...files].sort());
    for (const path of files) expect(await textOf(await workspaces.download(restored.id, path))).toBe(path);
  });
}
