import type { RunOutputs, WorkspaceRun } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import {
  type Fixture,
  ownDiagnostics,
  SESSION,
  seesPipes,
  testIsolations,
  textOf,
  workspaceFixture,
} from "./workspace-fixture.js";

async function ran(fixture: Fixture, command: string, outputs: RunOutputs, run: Partial<WorkspaceRun> = {}) {
  const { id } = await fixture.workspaces.forSession(SESSION);
  const result = await fixture.workspaces.run(id, { command, outputs, ...run }, { onEvent: fixture.onEvent });
  const diagnostics = ownDiagnostics(result.diagnostics);
  return { ...result, id, diagnostics, codes: diagnostics.map(({ code }) => code) };
}

const PNG = "printf '\\211PNG\\r\\n\\032\\n\\000' > out/p.png";

describe.each(await testIsolations())("outputs, isolation %s", (isolation) => {
  test("FILE-11: without inline and save, names, sizes and types are returned", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { outputs } = await ran(fixture, "echo hi > out/a.txt; mkdir out/d", { globs: ["out/**"] });
    expect(outputs).toEqual([
      expect.objectContaining({
        path: "out/a.txt",
        size: 3,
        mimeType: "text/plain",
        unchanged: false,
        truncated: false,
      }),
    ]);
    expect(outputs[0]).not.toHaveProperty("content");
  });

  test("FILE-06: text is inlined, an image and fake text are not", async () => {
    await using fixture = await workspaceFixture(isolation);
    const command = `echo hi > out/a.txt; echo all: > out/Makefile; ${PNG}; printf 'a\\000b' > out/n.txt; printf '\\377' > out/i.md`;
    const { outputs, codes } = await ran(fixture, command, { globs: ["out/*"], inline: true });
    expect(outputs.map(({ path, mimeType, content }) => [path, mimeType, content])).toEqual([
      ["out/Makefile", "text/plain", "all:\n"],
      ["out/a.txt", "text/plain", "hi\n"],
      ["out/i.md", "text/markdown", undefined],
      ["out/n.txt", "text/plain", undefined],
      ["out/p.png", "image/png", undefined],
    ]);
    expect(codes.filter((code) => code === "output.not-text")).toHaveLength(2);
  });

  test("FILE-05: text above maxFileBytes is cut at a whole character, with a diagnostic", async () => {
    await using fixture = await workspaceFixture(isolation);
    const outputs = { globs: ["out/*"], inline: true, maxFileBytes: 5 };
    const result = await ran(fixture, "printf '€€€' > out/a.txt", outputs);
    expect(result.outputs).toMatchObject([{ path: "out/a.txt", size: 9, content: "€", truncated: true }]);
    expect(result.codes).toEqual(["output.cut"]);
  });

  test("FILE-08: text is cut at maxTotalBytes, later files are listed without being read, each with a diagnostic", async () => {
    await using fixture = await workspaceFixture(isolation);
    const command = "for f in a b c; do printf 12345678 > out/$f.txt; done";
    const result = await ran(fixture, command, { globs: ["out/*"], inline: true, maxTotalBytes: 10 });
    expect(result.outputs.map(({ content }) => content)).toEqual(["12345678", "12", ""]);
    expect(result.outputs.map(({ truncated }) => truncated)).toEqual([false, true, true]);
    expect(result.codes).toEqual(["output.total-limit", "output.total-limit"]);
  });

  test("LINK-01, LINK-02, LINK-03: no file is read through a link", async () => {
    await using fixture = await workspaceFixture(isolation);
    const command =
      "ln -s /etc/passwd out/p.txt; ln -s /etc out/d; ln -s gone out/broken; echo r > work/r; ln -s ../work/r out/r; echo ok > out/a";
    const globs = ["out/*", "out/d/passwd"];
    const result = await ran(fixture, command, { globs, inline: true, save: true });
    expect(result.outputs.map(({ path }) => path)).toEqual(["out/a"]);
    expect(JSON.stringify(result)).not.toContain("root:");
    expect(result.codes.filter((code) => code === "output.link-skipped")).toHaveLength(4);
  });

  test("FILE-20: a FIFO is skipped and does not block", async () => {
    await using fixture = await workspaceFixture(isolation);
    const result = await ran(fixture, "mkfifo out/pipe; echo ok > out/a", { globs: ["out/*"], inline: true });
    expect(result.outputs.map(({ content }) => content)).toEqual(["ok\n"]);
    expect(result.codes).toEqual(seesPipes(isolation) ? ["output.special-skipped"] : []);
  });

  test("FILE-03: names with spaces, quotes and Unicode are returned unchanged, with their content", async () => {
    await using fixture = await workspaceFixture(isolation);
    const command = `echo 1 > 'out/a b.txt'; echo 2 > "out/it's \\"so\\".txt"; echo 3 > out/é€.txt`;
    const { outputs } = await ran(fixture, command, { globs: ["out/*.txt"], inline: true });
    expect(outputs.map(({ path, content }) => [path, content])).toEqual([
      ["out/a b.txt", "1\n"],
      [`out/it's "so".txt`, "2\n"],
      ["out/é€.txt", "3\n"],
    ]);
  });

  test("a file of an earlier run is reported as unchanged and neither inlined nor saved again", async () => {
    await using fixture = await workspaceFixture(isolation);
    const outputs = { globs: ["out/*"], inline: true, save: true };
    await ran(fixture, "echo 1 > out/a; echo 1 > out/b", outputs);
    const second = await ran(fixture, "echo 2 > out/b", outputs);
    expect(second.outputs).toMatchObject([
      { path: "out/a", unchanged: true },
      { path: "out/b", unchanged: false, content: "2\n", artifact: { version: 1 } },
    ]);
    expect(second.outputs[0]).not.toHaveProperty("content");
    expect((await fixture.artifacts.versions(SESSION, "out/a")).length).toBe(1);
  });

  test("an input that was only staged is not an output of the run", async () => {
    await using fixture = await workspaceFixture(isolation);
    const inputs = [{ from: "skill://demo/data/a.csv" }];
    const { outputs } = await ran(fixture, "echo x > work/inputs/b.csv", { globs: ["inputs/*"] }, { inputs });
    expect(outputs.map(({ path, unchanged }) => [path, unchanged])).toEqual([
      ["work/inputs/a.csv", true],
      ["work/inputs/b.csv", false],
    ]);
  });

  test("FILE-13: a failed command's empty redirection is left out, its non-empty files are kept", async () => {
    await using fixture = await workspaceFixture(isolation);
    const command = "echo part > out/part.txt; no-such-program > out/x.txt; exit 2";
    const result = await ran(fixture, command, { globs: ["out/*"], inline: true, save: true });
    expect(result).toMatchObject({
      exitCode: 2,
      outputs: [{ path: "out/part.txt", artifact: { version: 0 } }],
    });
    expect(result.codes).toEqual(["output.empty-after-failure"]);
    expect(await fixture.artifacts.versions(SESSION, "out/x.txt")).toEqual([]);
  });

  test("FILE-17: saved under the prefix and the path, with versions from 0 and metadata of run, skill and inputs", async () => {
    await using fixture = await workspaceFixture(isolation);
    const outputs = { globs: ["out/**"], save: true, nameTemplate: "pref/" };
    await fixture.artifacts.save(SESSION, "in.txt", "old");
    const run = { skill: "demo", inputs: [{ from: "artifact://in.txt" }] };
    const first = await ran(fixture, "echo 1 > out/a.txt", outputs, run);
    const second = await ran(fixture, "echo 2 > out/a.txt", outputs, run);
    expect(first.outputs[0]?.artifact).toMatchObject({
      name: "pref/out/a.txt",
      version: 0,
      mimeType: "text/plain",
    });
    expect(second.outputs[0]?.artifact?.version).toBe(1);
    expect(second.outputs[0]?.artifact?.metadata).toEqual({
      runId: second.runId,
      workspaceId: second.id,
      skill: "demo",
      skillDigest: (await fixture.skills.load("demo")).digest,
      inputs: '["in.txt@0"]',
    });
    const { content } = await fixture.artifacts.open(SESSION, "pref/out/a.txt", { version: 0 });
    expect(await textOf(content)).toBe("1\n");
  });

  test("FILE-10: a file above maxFileBytes is not saved at all, an error names it, others are saved", async () => {
    await using fixture = await workspaceFixture(isolation);
    const outputs = { globs: ["out/*"], save: true, maxFileBytes: 1000 };
    const result = await ran(fixture, "head -c 5000 /dev/zero > out/big; echo ok > out/small", outputs);
    expect(result.diagnostics).toMatchObject([
      { code: "artifact.file-limit", severity: "error", path: "out/big" },
    ]);
    expect((await fixture.artifacts.list(SESSION)).map(({ name }) => name)).toEqual(["out/small"]);
  });

  test("FILE-08: files that exceed maxTotalBytes are not saved, with a diagnostic", async () => {
    await using fixture = await workspaceFixture(isolation);
    const outputs = { globs: ["out/*"], save: true, maxTotalBytes: 1500 };
    const result = await ran(fixture, "for f in a b c; do head -c 1000 /dev/zero > out/$f; done", outputs);
    expect(result.outputs.map(({ artifact }) => artifact?.version)).toEqual([0, undefined, undefined]);
    expect(result.codes).toEqual(["artifact.total-limit", "artifact.total-limit"]);
  });

  test("FILE-14: a missing store or session is a warning, and the content is returned", async () => {
    await using fixture = await workspaceFixture(isolation, { artifacts: undefined });
    const outputs = { globs: ["out/*"], save: true, inline: true };
    const result = await ran(fixture, "echo hi > out/a.txt", outputs);
    expect(result).toMatchObject({
      outputs: [{ content: "hi\n" }],
      diagnostics: [{ code: "artifact.not-saved" }],
    });
    await using withStore = await workspaceFixture(isolation);
    const { id } = await withStore.workspaces.create();
    const unowned = await withStore.workspaces.run(id, { command: "echo hi > out/a.txt", outputs });
    expect(unowned.outputs).toMatchObject([{ content: "hi\n" }]);
    expect(ownDiagnostics(unowned.diagnostics)).toMatchObject([{ code: "artifact.not-saved" }]);
  });

  test("FILE-18: a save that fails leaves the files in the result, and the run is not repeated", async () => {
    await using fixture = await workspaceFixture(isolation);
    const failing = { ...fixture.artifacts, save: () => Promise.reject(new Error("disk full")) };
    await using broken = await workspaceFixture(isolation, { artifacts: failing });
    const outputs = { globs: ["out/*"], save: true, inline: true };
    const result = await ran(broken, "echo hi >> out/a.txt", outputs);
    expect(result.outputs).toMatchObject([{ path: "out/a.txt", content: "hi\n" }]);
    expect(result.diagnostics).toMatchObject([{ code: "artifact.save-failed", severity: "error" }]);
  });

  test("LINK-04: nothing is read when out is replaced with a link", async () => {
    await using fixture = await workspaceFixture(isolation);
    const command = 'cd "$WORKSPACE_DIR"; rm -rf out; ln -s /etc out';
    const result = await ran(fixture, command, { globs: ["out/*"], inline: true });
    expect(result.outputs).toEqual([]);
    expect(result.diagnostics.length).toBeGreaterThan(0);
  });

  test("FILE-24: of 1,001 files the first 100 are returned, and the rest is reported", async () => {
    await using fixture = await workspaceFixture(isolation);
    const command = 'i=1000; while [ $i -lt 2001 ]; do echo > "out/$i"; i=$((i+1)); done';
    const result = await ran(fixture, command, { globs: ["out/**"] });
    expect(result.outputs).toHaveLength(100);
    expect(result.outputs.at(-1)?.path).toBe("out/1099");
    expect(result.codes).toEqual(["output.file-limit"]);
  });
});
