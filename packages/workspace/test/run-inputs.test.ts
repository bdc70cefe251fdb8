import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { type RunInput, SkillError } from "@skillwright/core";
import { describe, expect, test } from "vitest";
import {
  type Fixture,
  ownDiagnostics,
  SESSION,
  testIsolations,
  workspaceFixture,
} from "./workspace-fixture.js";

const withCode = (code: string) => expect.toSatisfy((error) => SkillError.is(error) && error.code === code);

async function ran(fixture: Fixture, inputs: RunInput[], command: string) {
  const { id } = await fixture.workspaces.forSession(SESSION);
  return await fixture.workspaces.run(id, { command, inputs, skill: "demo" }, { onEvent: fixture.onEvent });
}

/** Its directory contains `open`, which is allowed for inputs, and beside it `closed`. */
async function withHostFiles(): Promise<Fixture> {
  const place = await workspaceFixture("none");
  const open = path.join(place.directory, "open");
  const closed = path.join(place.directory, "closed");
  for (const directory of [open, closed]) await mkdir(directory);
  await writeFile(path.join(open, "in.txt"), "from host");
  await writeFile(path.join(closed, "secret.txt"), "secret");
  await symlink(path.join(closed, "secret.txt"), path.join(open, "link.txt"));
  await symlink("in.txt", path.join(open, "inside.txt"));
  return place;
}

describe.each(await testIsolations())("inputs, isolation %s", (isolation) => {
  test("INPUT-07: an artifact's newest version is the default, another one on request", async () => {
    await using fixture = await workspaceFixture(isolation);
    await fixture.artifacts.save(SESSION, "reports/x.txt", "v0");
    await fixture.artifacts.save(SESSION, "reports/x.txt", "v1");
    const inputs = [
      { from: "artifact://reports/x.txt" },
      { from: "artifact://reports/x.txt@0", to: "inputs/old.txt" },
    ];
    const { stdout } = await ran(fixture, inputs, "cat inputs/x.txt inputs/old.txt");
    expect(stdout.text).toBe("v1v0");
    expect(fixture.events).toContainEqual({ type: "input.staged", path: "work/inputs/old.txt", bytes: 2 });
  });

  test("INPUT-07: with pin, the version used first is kept; without pin the newest is used", async () => {
    await using fixture = await workspaceFixture(isolation);
    const take = async (pin: boolean, to?: string) =>
      (await ran(fixture, [{ from: "artifact://x.txt", pin, to }], `cat ${to ?? "inputs/x.txt"}`)).stdout
        .text;
    await fixture.artifacts.save(SESSION, "x.txt", "v0");
    expect(await take(true)).toBe("v0");
    await fixture.artifacts.save(SESSION, "x.txt", "v1");
    expect(await take(true)).toBe("v0");
    expect(await take(true, "work/other.txt")).toBe("v1");
    expect(await take(false)).toBe("v1");
    expect(await take(true)).toBe("v1");
  });

  test("a pinned version is that of one artifact, and not of another at the same target", async () => {
    await using fixture = await workspaceFixture(isolation);
    const take = async (name: string) =>
      (await ran(fixture, [{ from: `artifact://${name}`, to: "work/x", pin: true }], "cat ../../work/x"))
        .stdout.text;
    for (const version of ["v0", "v1"]) await fixture.artifacts.save(SESSION, "b.txt", `b ${version}`);
    await fixture.artifacts.save(SESSION, "a.txt", "a v0");
    expect(await take("a.txt")).toBe("a v0");
    expect(await take("b.txt")).toBe("b v1");
  });

  test("INPUT-11: a file of a skill, and a file of the workspace", async () => {
    await using fixture = await workspaceFixture(isolation);
    const inputs = [
      { from: "skill://demo/data/a.csv" },
      { from: "workspace://inputs/u.txt", to: "work/copy/u.txt" },
      { from: "workspace://skills/demo/scripts/hello.sh", to: "work/copy/hello.sh" },
    ];
    const { id } = await fixture.workspaces.forSession(SESSION);
    await fixture.workspaces.upload(id, "u.txt", "up");
    const { stdout } = await ran(
      fixture,
      inputs,
      "cat inputs/a.csv work/copy/u.txt; sh work/copy/hello.sh you",
    );
    expect(stdout.text).toBe("a,b\n1,2\nuphello you\n");
  });

  test("INPUT-09: files outside the workspace are copied where a link was requested, replacing an existing file", async () => {
    await using fixture = await workspaceFixture(isolation);
    await fixture.artifacts.save(SESSION, "a.csv", "new");
    const { id } = await fixture.workspaces.forSession(SESSION);
    await fixture.workspaces.write(id, "work/inputs/a.csv", "old");
    const inputs: RunInput[] = [{ from: "artifact://a.csv", mode: "link" }];
    const result = await ran(fixture, inputs, "cat inputs/a.csv; test -L inputs/a.csv || echo ' no link'");
    expect(result.stdout.text).toBe("new no link\n");
    expect(ownDiagnostics(result.diagnostics).map(({ code }) => code)).toEqual(["input.link-copied"]);
  });

  test("links lead to the workspace's own files and to skills, which are staged for it", async () => {
    await using fixture = await workspaceFixture(isolation);
    await fixture.repository.upload([
      { path: "SKILL.md", content: "---\nname: other\ndescription: Has data.\n---\nx\n" },
      { path: "data/b.csv", content: "b" },
    ]);
    const { id } = await fixture.workspaces.forSession(SESSION);
    await fixture.workspaces.write(id, "work/big.txt", "big");
    const inputs: RunInput[] = [
      { from: "workspace://work/big.txt", mode: "link" },
      { from: "skill://other/data//", to: "work/other", mode: "link" },
    ];
    const command =
      "cat inputs/big.txt ../../work/other/b.csv; test -L inputs/big.txt && test -L ../../work/other && echo";
    const result = await ran(fixture, inputs, command);
    expect(result.stdout.text).toBe("bigb\n");
    expect(ownDiagnostics(result.diagnostics)).toEqual([]);
    expect((await ran(fixture, inputs, command)).stdout.text).toBe("bigb\n");
  });

  test.each([
    ["workspace://work/none.txt", "FILE_NOT_FOUND"],
    ["skill://demo/none", "FILE_NOT_FOUND"],
    ["workspace://work/x", "INPUT_INVALID"],
  ])("a link to %s is refused with %s", async (from, code) => {
    await using fixture = await workspaceFixture(isolation);
    await expect(ran(fixture, [{ from, to: "work/x", mode: "link" }], "true")).rejects.toThrow(
      withCode(code),
    );
  });

  test("a directory of the workspace and of a skill is copied completely, links are reported", async () => {
    await using fixture = await workspaceFixture(isolation);
    await ran(fixture, [], "mkdir -p work/d/e; echo 1 > work/d/1; echo 2 > work/d/e/2; ln -s 1 work/d/l");
    const inputs = [{ from: "workspace://work/d" }, { from: "skill://demo/scripts//" }];
    const result = await ran(fixture, inputs, "cd inputs/ && find . -type f | sort");
    expect(result.stdout.text).toBe("./d/1\n./d/e/2\n./scripts/hello.sh\n");
    expect(ownDiagnostics(result.diagnostics)).toMatchObject([
      { code: "input.skipped", message: expect.stringContaining('"l" is a link') },
    ]);
  });

  test("a directory without files is reported", async () => {
    await using fixture = await workspaceFixture(isolation);
    const long = `work/${"d".repeat(100)}/${"e".repeat(100)}`;
    await ran(fixture, [], `mkdir -p work/empty "$WORKSPACE_DIR/${long}"`);
    const inputs = [{ from: "workspace://work/empty" }, { from: `workspace://${long}` }];
    const { diagnostics } = await ran(fixture, inputs, "true");
    const told = ownDiagnostics(diagnostics);
    expect(told.map(({ code }) => code)).toEqual(["input.empty", "input.empty"]);
    const shown = `workspace://${long}`.slice(0, 200);
    expect(told[1]?.message).toContain(`The input directory ${shown} contains no regular file`);
  });

  test("a file of a skill that the call resolved comes from that one of them", async () => {
    await using fixture = await workspaceFixture(isolation);
    await fixture.repository.upload([
      { path: "SKILL.md", content: "---\nname: other\ndescription: Has data.\n---\nx\n" },
      { path: "data/b.csv", content: "b" },
    ]);
    const resolved = await Promise.all(["demo", "other"].map((name) => fixture.skills.load(name)));
    const { id } = await fixture.workspaces.forSession(SESSION);
    const inputs = [{ from: "skill://other/data/b.csv" }, { from: "skill://demo/data/a.csv" }];
    const command = "cat work/inputs/b.csv work/inputs/a.csv";
    const { stdout } = await fixture.workspaces.run(id, { command, inputs, resolved });
    expect(stdout.text).toBe("ba,b\n1,2\n");
  });

  test.each([
    ["INPUT-10: a missing file of the workspace", "workspace://work/none.txt", "FILE_NOT_FOUND"],
    ["a missing artifact", "artifact://none", "ARTIFACT_NOT_FOUND"],
    ["INPUT-20: an artifact of another session", "artifact://../../other/report", "PATH_OUTSIDE"],
    ["INPUT-19: a skill that is not in the catalogue", "skill://secret/key.txt", "SKILL_NOT_FOUND"],
    ["a file outside the skill", "skill://demo/../x", "PATH_OUTSIDE"],
    ["INPUT-18: the workspace itself", "workspace://.", "PATH_INVALID"],
    ["INPUT-15: a file of the host, with no folder open", "host:///etc/passwd", "REFUSED"],
    [
      "PATH-08: percent signs that would lead out",
      "workspace://work/%2e%2e/%2e%2e/etc/passwd",
      "FILE_NOT_FOUND",
    ],
  ])("%s is refused and nothing runs", async (_what, from, code) => {
    await using fixture = await workspaceFixture(isolation);
    await expect(ran(fixture, [{ from, to: "work/x" }], "echo ran > out/ran")).rejects.toThrow(
      withCode(code),
    );
    const { id } = await fixture.workspaces.forSession(SESSION);
    expect(await fixture.workspaces.files(id)).toEqual([]);
  });

  test.each([
    ["A.csv", "a.csv"],
    ["größe.csv", "GRÖSSE.csv"],
  ])("two targets that differ only as %s and %s both exist, and are reported", async (one, other) => {
    await using fixture = await workspaceFixture(isolation);
    const inputs = [one, other].map((name) => ({ from: "skill://demo/data/a.csv", to: `work/${name}` }));
    const { diagnostics } = await ran(fixture, [...inputs, { from: "skill://demo/data/a.csv" }], "true");
    expect(diagnostics.filter(({ code }) => code === "input.alike")).toMatchObject([
      { severity: "warning", message: expect.stringContaining(`work/${one} and work/${other}`) },
    ]);
    const { id } = await fixture.workspaces.forSession(SESSION);
    expect((await fixture.workspaces.files(id, "work")).map(({ path: at }) => at)).toEqual(
      expect.arrayContaining([`work/${one}`, `work/${other}`]),
    );
  });

  test("INPUT-22: the error names the input, and what was staged before it", async () => {
    await using fixture = await workspaceFixture(isolation);
    const inputs = [{ from: "skill://demo/data/a.csv" }, { from: "artifact://missing" }];
    const error: unknown = await ran(fixture, inputs, "true").catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: expect.stringContaining("artifact://missing"),
      details: { input: "artifact://missing", staged: ["work/inputs/a.csv"] },
    });
  });

  test("INPUT-06: an artifact without a store is refused with the remedy", async () => {
    await using fixture = await workspaceFixture(isolation, { artifacts: undefined });
    await expect(ran(fixture, [{ from: "artifact://a" }], "true")).rejects.toThrow(withCode("UNSUPPORTED"));
  });
});

describe("inputs from the host", () => {
  test("below an allowed folder a file and a link that stays inside are copied", async () => {
    await using place = await withHostFiles();
    const open = path.join(place.directory, "open");
    await using fixture = await workspaceFixture("none", { hostInputRoots: [open] });
    const inputs = [{ from: `host://${open}/in.txt` }, { from: `host://${open}/inside.txt` }];
    const { stdout } = await ran(fixture, inputs, "cat inputs/in.txt inputs/inside.txt");
    expect(stdout.text).toBe("from hostfrom host");
  });

  test.each([
    ["beside the folder", "closed/secret.txt", "REFUSED"],
    ["beside the folder, whether it exists or not", "closed/none.txt", "REFUSED"],
    ["out by ..", "open/../closed/secret.txt", "REFUSED"],
    ["INPUT-16: by a link", "open/link.txt", "REFUSED"],
    ["missing", "open/none.txt", "FILE_NOT_FOUND"],
  ])("%s: %s is %s, and the allowed folders are named", async (_what, file, code) => {
    await using place = await withHostFiles();
    const open = path.join(place.directory, "open");
    await using fixture = await workspaceFixture("none", { hostInputRoots: [open] });
    const run = ran(fixture, [{ from: `host://${place.directory}/${file}`, to: "work/x" }], "true");
    await expect(run).rejects.toThrow(withCode(code));
    if (code === "REFUSED") await expect(run).rejects.toThrow(open);
  });

  test("a folder that is not absolute is refused when the manager is created", async () => {
    await expect(workspaceFixture("none", { hostInputRoots: ["data"] })).rejects.toThrow(
      withCode("CONFIG_INVALID"),
    );
  });
});
