import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { configuredCatalog } from "../src/places/configured-catalog.js";
import { servedParts } from "../src/serve/served-parts.js";
import { cliFixture } from "./cli-fixture.js";
import { servedProcess } from "./served-process.js";

const CONFIGURATION = "home/.skillwright/skillwright.config.json";
const said = (text: string) => ({ message: { parts: [{ type: "text", text }] } });

if (hasAll("packages/cli/dist", "packages/server/dist")) {
  test("SERVE-104: the configuration names the store of conversations and turns, and a flag another one", async () => {
    const fixture = await cliFixture({
      [CONFIGURATION]: JSON.stringify({ stores: { records: { from: "RECORDS" }, artifacts: "./outputs" } }),
    });
    const start = (...argv: string[]) =>
      servedProcess(fixture, {
        argv: ["--isolation", "none", ...argv],
        env: { RECORDS: "sqlite:shared.sqlite" },
      });
    const one = await start();
    await one.ask("/conversations", { id: "one" });
    const turn = await one.ask("/conversations/one/turns", said("What can you do?"));
    const events = await turn.text();
    const stream = new URL(turn.headers.get("content-location") ?? "", one.address).pathname.replace(
      "/v1",
      "",
    );
    const flag = `sqlite:${join(fixture.home, ".skillwright/shared.sqlite")}`;
    expect(await (await (await start("--records", flag)).ask(stream)).text()).toBe(events);
    for (const argv of [
      ["--records", "sqlite:other.sqlite"],
      ["--data", "own"],
    ])
      expect((await (await start(...argv)).ask(stream)).status).toBe(404);
  });
}

test("SERVE-105: copies of skills are made as configured, and a folder of the user is refused before the first turn", async () => {
  const fixture = await cliFixture();
  await writeConfiguration(fixture.home, { isolation: "none", skillCopies: "workspace" });
  await using local = await parts();
  expect((await local.runtime?.capabilities())?.skillCopies).toBe("workspace");
  await writeConfiguration(fixture.home, { hostFolder: { path: fixture.home } });
  await expect(parts()).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("hostFolder"),
  });

  async function parts() {
    const env = { HOME: fixture.home };
    const context = { cwd: fixture.project, env, remark: () => undefined } as never;
    const configured = await configuredCatalog(
      { cwd: fixture.project, env, signal: undefined, bundledSkills: undefined },
      [],
    );
    const { options, close } = await servedParts({}, configured, context);
    return { runtime: options.runtime, [Symbol.asyncDispose]: close };
  }
});

async function writeConfiguration(home: string, sandbox: object): Promise<void> {
  await mkdir(join(home, ".skillwright"), { recursive: true });
  await writeFile(join(home, ".skillwright/skillwright.config.json"), JSON.stringify({ agent: { sandbox } }));
}
