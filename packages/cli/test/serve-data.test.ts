import { cp, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { apartServers, type DataOptions } from "./apart-servers.js";
import { type CliFixture, cliFixture } from "./cli-fixture.js";
import { servedProcess } from "./served-process.js";

const start = (fixture: CliFixture) => async (argv: DataOptions) =>
  await servedProcess(fixture, { argv: ["--isolation", "none", ...argv] });

if (hasAll("packages/cli/dist", "packages/server/dist")) {
  test.each<[string, DataOptions, DataOptions]>([
    ["folders", ["--data", "a"], ["--data", "b"]],
    ["records", ["--records", "sqlite:a.sqlite"], ["--records", "sqlite:b.sqlite"]],
    ["records in one folder", ["--data", "a"], ["--data", "a", "--records", "sqlite:b.sqlite"]],
  ])(
    "SERVE-85: servers with their own %s have their own workspaces on one machine",
    async (_, one, other) => {
      await apartServers(start(await cliFixture()), one, other);
    },
  );

  test("SERVE-85: the servers of two people with different home directories have different workspaces", async () => {
    const [one, other] = [await cliFixture(), await cliFixture()];
    const begin = async ([home = ""]: DataOptions) => await start(home === "one" ? one : other)([]);
    await apartServers(begin, ["one"], ["other"]);
  });

  test("SERVE-86: a data folder that is moved keeps its workspaces, and a copy of it has none of them", async () => {
    const fixture = await cliFixture();
    const begin = start(fixture);
    const first = await begin(["--data", "a"]);
    await first.ask("/conversations", { id: "one" });
    await first.upload("/conversations/one/uploads/a.txt", "kept");
    first.kill("SIGTERM");
    await first.ended;
    await rename(join(fixture.project, "a"), join(fixture.project, "moved"));
    await cp(join(fixture.project, "moved"), join(fixture.project, "copied"), { recursive: true });
    const copied = await begin(["--data", "copied"]);
    expect(await (await copied.ask("/workspaces")).json()).toEqual([]);
    expect((await copied.remove("/conversations/one")).status).toBe(204);
    const moved = await begin(["--data", "moved"]);
    const file = await (await moved.ask("/conversations/one/files/text?path=work/inputs/a.txt")).json();
    expect(file).toMatchObject({ text: "kept" });
    expect((await moved.remove("/conversations/one")).status).toBe(204);
  });
}
