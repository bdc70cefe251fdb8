import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { SkillError } from "@skillwright/core";
import { describe, expect, test, vi } from "vitest";
import { spool } from "../src/upload/spool.js";
import { ownDiagnostics, SESSION, testIsolations, textOf, workspaceFixture } from "./workspace-fixture.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);

async function* pieces(...texts: string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

describe.each(await testIsolations())("uploads and files, isolation %s", (isolation) => {
  test("an upload returns its path and the path that works from a skill's directory", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    const uploaded = await fixture.workspaces.upload(id, "../data/orders.csv", pieces("a,b\n", "1,2\n"));
    expect(uploaded).toMatchObject({
      path: "work/inputs/orders.csv",
      skillPath: "inputs/orders.csv",
      size: 8,
      mimeType: "text/csv",
      changed: true,
    });
    const { stdout } = await fixture.workspaces.run(id, {
      skill: "demo",
      command: `cat ${uploaded.skillPath}`,
    });
    expect(stdout.text).toBe("a,b\n1,2\n");
  });

  test("a removed directory of the layout counts as empty, and uploads create it again", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    await workspaces.run(id, { command: "rm -rf out work work/inputs" });
    expect(await workspaces.files(id)).toEqual([]);
    expect(await workspaces.upload(id, "a.txt", "x")).toMatchObject({ path: "work/inputs/a.txt" });
    const outputs = { globs: ["out/**"] };
    const remade = await workspaces.run(id, { command: "mkdir -p out; echo x > out/b.txt", outputs });
    expect(remade.outputs).toMatchObject([{ path: "out/b.txt", unchanged: false }]);
    expect(ownDiagnostics(remade.diagnostics)).toEqual([]);
  });

  test("INPUT-14: other bytes get a number, the same bytes are found and not written again", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    const upload = async (content: string) => {
      const { path, changed } = await workspaces.upload(id, "notes.txt", pieces(content));
      return [path, changed];
    };
    expect(await upload("one")).toEqual(["work/inputs/notes.txt", true]);
    expect(await upload("two")).toEqual(["work/inputs/notes_2.txt", true]);
    expect(await upload("one")).toEqual(["work/inputs/notes.txt", false]);
    expect(await upload("two")).toEqual(["work/inputs/notes_2.txt", false]);
    expect(await workspaces.files(id)).toHaveLength(2);
  });

  test("ten concurrent uploads of one name lose nothing", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => workspaces.upload(id, "n.txt", pieces(`${index}`))),
    );
    const contents = (await workspaces.files(id)).map(async ({ path }) =>
      textOf(await workspaces.download(id, path)),
    );
    expect((await Promise.all(contents)).sort()).toEqual([..."0123456789"]);
  });

  test("an upload that is aborted or breaks leaves nothing, on the host and in the workspace", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    const temporary = path.join(fixture.directory, "temporary");
    await mkdir(temporary);
    vi.stubEnv("TMPDIR", temporary);
    const controller = new AbortController();
    async function* silent() {
      yield Uint8Array.of(1);
      controller.abort();
      await new Promise(() => undefined);
    }
    async function* broken() {
      yield Uint8Array.of(1);
      throw new Error("cable");
    }
    const aborted = workspaces.upload(id, "a", silent(), { signal: controller.signal });
    await expect(aborted).rejects.toThrow(withCode("ABORTED"));
    await expect(workspaces.upload(id, "a", broken())).rejects.toThrow("cable");
    expect(await workspaces.files(id)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });

  test("write, list and download accept the path forms that models use", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    expect(await workspaces.write(id, "$OUTPUT_DIR/sub/a.md", "# A\n")).toMatchObject({
      path: "out/sub/a.md",
      size: 4,
      mimeType: "text/markdown",
    });
    await workspaces.write(id, "inputs/b.txt", "b");
    expect((await workspaces.files(id)).map(({ path }) => path)).toEqual([
      "out/sub/a.md",
      "work/inputs/b.txt",
    ]);
    expect((await workspaces.files(id, "out")).map(({ path }) => path)).toEqual(["out/sub/a.md"]);
    expect(await textOf(await workspaces.download(id, "/out/sub/a.md"))).toBe("# A\n");
    await workspaces.write(id, "out/sub/a.md", "replaced");
    expect(await textOf(await workspaces.download(id, "out/sub/a.md"))).toBe("replaced");
  });

  test.each([
    ["skills/demo/SKILL.md", "PATH_OUTSIDE"],
    ["runs/x", "PATH_OUTSIDE"],
    ["a.txt", "PATH_OUTSIDE"],
    ["../x", "PATH_OUTSIDE"],
    ["/etc/x", "PATH_OUTSIDE"],
    ["work", "PATH_OUTSIDE"],
    ["", "PATH_INVALID"],
    ["out/a\0b", "PATH_INVALID"],
  ])("PATH-23: writing to %j is refused with %s", async (path, code) => {
    await using fixture = await workspaceFixture(isolation);
    const { id } = await fixture.workspaces.forSession(SESSION);
    await expect(fixture.workspaces.write(id, path, "x")).rejects.toThrow(withCode(code));
  });

  test("reading a missing file, or through a link, is refused", async () => {
    await using fixture = await workspaceFixture(isolation);
    const { workspaces } = fixture;
    const { id } = await workspaces.forSession(SESSION);
    await workspaces.run(id, { command: "ln -s /etc/passwd out/p; ln -s /etc out/d" });
    await expect(workspaces.download(id, "out/none")).rejects.toThrow(withCode("FILE_NOT_FOUND"));
    await expect(workspaces.download(id, "../x")).rejects.toThrow(withCode("PATH_OUTSIDE"));
    for (const path of ["out/p", "out/d/passwd"])
      await expect(workspaces.download(id, path).then(textOf)).rejects.toThrow(
        expect.toSatisfy((error) => SkillError.is(error)),
      );
  });
});

test("an unread spooled upload leaves no file open", async () => {
  const before = (await readdir("/dev/fd")).length;
  for (let count = 0; count < 20; count++) {
    await using spooled = await spool(pieces("content"), undefined);
    spooled.open();
  }
  expect((await readdir("/dev/fd")).length).toBeLessThan(before + 10);
});
