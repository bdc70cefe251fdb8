import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRecords, workspacesName } from "@skillwright/config";
import { fsRecords } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { workspaceManager } from "@skillwright/workspace";
import { expect, test } from "vitest";
import { type CliFixture, cliFixture } from "./cli-fixture.js";

/** Creates two workspaces below `<project>/places` as another process would, with a file in the first one. */
async function twoWorkspaces({ project }: CliFixture) {
  const root = join(project, "places");
  await mkdir(root, { mode: 0o700 });
  await using runtime = localRuntime({ root, isolation: "none" });
  await using workspaces = workspaceManager({ skills: skillBox({}), runtime });
  const ids = [];
  for (const session of ["one", "two"])
    ids.push((await workspaces.forSession({ app: "chat", user: "ada", session })).id);
  const [first = "", second = ""] = ids;
  await workspaces.write(first, "work/kept.txt", "kept");
  return { root, first, second };
}

test("the message about a damaged record names the command that repairs it, and that command keeps the files", async () => {
  const fixture = await cliFixture();
  const { root, first, second } = await twoWorkspaces(fixture);
  await writeFile(join(root, first, "record.json"), "{");

  const listed = await fixture.cli(["workspaces", "list", "--root", "places"]);
  expect(listed.code).toBe(0);
  expect(listed.out).toMatch(new RegExp(`^${second}  \\S+Z  chat/ada/two$`, "m"));
  expect(listed.out).toContain("workspace.damaged");
  expect(listed.out).toContain("1 workspace, 1 damaged");
  const [, id = "", place = ""] =
    /`skillwright workspaces repair (\S+) --root '?(.+?)'?`/.exec(listed.out) ?? [];
  expect([id, place]).toEqual([first, root]);

  const repaired = await fixture.cli(["workspaces", "repair", id, "--root", place]);
  expect(repaired).toMatchObject({ code: 0, err: "" });
  expect(repaired.out).toContain(`${first} was repaired`);
  expect(await readFile(join(root, first, "tree/work/kept.txt"), "utf8")).toBe("kept");
  const after = JSON.parse((await fixture.cli(["workspaces", "list", "--root", "places", "--json"])).out);
  expect(after).toMatchObject({ formatVersion: 1, damaged: [] });
  expect(after.workspaces.map(({ id }: { id: string }) => id)).toEqual([first, second].sort());
});

test("a damaged record of the registry is listed with its command and repaired", async () => {
  const fixture = await cliFixture();
  const { root, second } = await twoWorkspaces(fixture);
  await writeFile(join(root, ".skillwright/registry", `${second}.json`), "{");
  const listed = await fixture.cli(["workspaces", "list", "--root", root]);
  expect(listed.out).toContain(`skillwright workspaces repair ${second} --root `);
  const { code, out } = await fixture.cli(["workspaces", "repair", second, "--root", root, "--json"]);
  expect({ code, ...JSON.parse(out) }).toEqual({ code: 0, formatVersion: 1, id: second, repaired: true });
});

test("repair does not change a sound workspace, and refuses a missing one", async () => {
  const fixture = await cliFixture();
  const { root, first } = await twoWorkspaces(fixture);
  const before = await readFile(join(root, first, "record.json"), "utf8");
  const sound = await fixture.cli(["workspaces", "repair", first, "--root", root]);
  expect(sound).toMatchObject({ code: 0, out: `${first} is not damaged. Nothing was changed.\n` });
  expect(await readFile(join(root, first, "record.json"), "utf8")).toBe(before);
  const none = await fixture.cli(["workspaces", "repair", "ws-none", "--root", root, "--json"]);
  expect(none.code).toBe(1);
  expect(JSON.parse(none.out).error.code).toBe("WORKSPACE_NOT_FOUND");
});

test("listing names the workspaces of ended processes that it removed", async () => {
  const fixture = await cliFixture();
  const { root, first } = await twoWorkspaces(fixture);
  const record = join(root, ".skillwright/registry", `${first}.json`);
  const kept = { ...JSON.parse(await readFile(record, "utf8")), keeper: "keeper-of-an-ended-process" };
  const abandon = () => writeFile(record, JSON.stringify(kept));
  await abandon();
  const { code, out } = await fixture.cli(["workspaces", "list", "--root", root]);
  expect(code).toBe(0);
  expect(out).toContain("Cleaned up");
  expect(out).toContain(`The workspace ${first} was left by a process that ended`);
  expect(out).toMatch(/^1 workspace$/m);
  await abandon();
  const { swept } = JSON.parse((await fixture.cli(["workspaces", "list", "--root", root, "--json"])).out);
  expect(swept).toMatchObject([{ code: "workspace.forgotten" }]);
});

test("workspaces of all applications below one root are listed, and a damaged one is repaired in its own directory", async () => {
  const fixture = await cliFixture();
  const { root, first } = await twoWorkspaces(fixture);
  await using runtime = localRuntime({ root, namespace: "app-of-a-test", isolation: "none" });
  const id = `ws_${"0".repeat(32)}`;
  await runtime.create(id);
  const listed = JSON.parse((await fixture.cli(["workspaces", "list", "--root", root, "--json"])).out);
  const ids = listed.workspaces.map((workspace: { id: string }) => workspace.id);
  expect(ids).toEqual([...ids].sort());
  expect(ids).toEqual(expect.arrayContaining([id, first]));
  await writeFile(join(root, ".skillwright/of-app-of-a-test", id, "record.json"), "{");
  const { out } = await fixture.cli(["workspaces", "list", "--root", root]);
  const [, place = ""] = new RegExp(`workspaces repair ${id} --root '?(.+?)'?\``).exec(out) ?? [];
  expect(place).toBe(join(root, ".skillwright/of-app-of-a-test"));
  for (const [where, repaired] of [
    [place, true],
    [root, false],
  ] as const) {
    const done = await fixture.cli(["workspaces", "repair", id, "--root", where, "--json"]);
    expect(JSON.parse(done.out)).toMatchObject({ id, repaired });
  }
});

test("a missing root is refused and not created", async () => {
  const { cli } = await cliFixture();
  for (const command of [["list"], ["repair", "ws-a"]]) {
    const { code, err } = await cli(["workspaces", ...command, "--root", "nowhere"]);
    expect(code).toBe(1);
    expect(err).toContain("does not exist");
  }
});

test("a directory that is no root of workspaces is refused and left as it is", async () => {
  const { cli, write, project } = await cliFixture();
  await write({ "project/home/photos/a.txt": "a" });
  for (const command of [["list"], ["repair", "photos"]]) {
    const { code, err } = await cli(["workspaces", ...command, "--root", "home"]);
    expect(code).toBe(1);
    expect(err).toContain(".skillwright");
    expect(err).toContain("--root");
  }
  expect(await readdir(join(project, "home"))).toEqual(["photos"]);
  expect(await readdir(join(project, "home/photos"))).toEqual(["a.txt"]);
});

test("help explains both commands", async () => {
  const { cli } = await cliFixture();
  expect((await cli(["--help"])).out).toContain("workspaces");
  const help = await cli(["workspaces", "--help"]);
  expect(help.code).toBe(0);
  expect(help.out).toMatch(/list[\s\S]*repair/);
  expect((await cli(["workspaces", "repair", "--help"])).out).toContain("--root <dir>");
});

test("--data shows the workspaces of a server's data folder, and refuses an empty folder without writing to it", async () => {
  const fixture = await cliFixture();
  const folder = join(fixture.project, "data");
  const namespace = await workspacesName({
    records: fsRecords({ root: join(folder, "records") }),
    folder,
  });
  const root = join(fixture.project, "places");
  await using runtime = localRuntime({ root, namespace, isolation: "none" });
  await using workspaces = workspaceManager({ skills: skillBox({}), runtime });
  const { id } = await workspaces.forSession({ app: "chat", user: "ada", session: "one" });
  const listed = await fixture.cli(["workspaces", "list", "--root", "places", "--data", "data"]);
  expect(listed.out).toContain(`${id}  `);
  await mkdir(join(fixture.project, "empty"));
  const refused = await fixture.cli(["workspaces", "list", "--data", "empty"]);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/No server has kept conversations in .*empty.*--data/);
  expect(await readdir(join(fixture.project, "empty"))).toEqual([]);
});

test.each(["kept", "sqlite:kept.db"])(
  "--records shows the workspaces of a server with these records, and refuses those of no server: %s",
  async (address) => {
    const fixture = await cliFixture();
    const listed = async (...flags: readonly string[]) =>
      await fixture.cli(["workspaces", "list", "--root", "places", ...flags]);
    const root = join(fixture.project, "places");
    await using first = localRuntime({ root, isolation: "none" });
    const { id: other } = await first.create(`ws_${"0".repeat(32)}`);
    const refused = await listed("--records", address);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/No server has kept conversations in these records.*--records/);
    await using opened = await openRecords(address, { cwd: fixture.project });
    const namespace = await workspacesName(opened);
    await using runtime = localRuntime({ root, namespace, isolation: "none" });
    await using workspaces = workspaceManager({ skills: skillBox({}), runtime });
    const { id } = await workspaces.forSession({ app: "chat", user: "ada", session: "one" });
    const ofServer = (await listed("--records", address)).out;
    expect([id, other].map((one) => ofServer.includes(one))).toEqual([true, false]);
    const both = await listed("--records", address, "--data", "data");
    expect(both.err).toMatch(/--records.*cannot be used with.*--data/);
  },
);
