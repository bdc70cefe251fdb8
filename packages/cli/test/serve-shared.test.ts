import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openaiServer } from "../../agent/test/openai-server.js";
import { cliFixture } from "./cli-fixture.js";
import { servedProcess } from "./served-process.js";

const said = { message: { parts: [{ type: "text", text: "Write it" }] } };
const written = {
  name: "workspace_run",
  arguments: JSON.stringify({
    command: 'echo kept > "$OUTPUT_DIR/kept.txt"',
    outputs: { globs: ["out/**"], save: true },
  }),
};

if (hasAll("packages/cli/dist", "packages/server/dist", "packages/repository-sql/dist"))
  describe("servers with the same --records and --artifacts", () => {
    test("SERVE-71: have the same conversations, turns and saved outputs, and keep none at their homes", async () => {
      const { one, other, fixture } = await twoServers();
      const turn = await one.ask("/conversations/one/turns", said);
      const events = await turn.text();
      expect(events).toMatch(/data: \[DONE\]\n\n$/);
      const path = turn.headers.get("content-location")?.replace("/v1", "") ?? "";
      expect(await (await other.ask(path)).text()).toBe(events);
      expect(await (await other.ask("/conversations/one/messages")).json()).toHaveLength(2);
      const saved = await other.ask("/conversations/one/artifacts/content?name=out/kept.txt");
      expect(await saved.text()).toBe("kept\n");
      expect(await readdir(join(fixture.home, ".skillwright"))).toEqual(["skillwright.config.json"]);
    });

    test("SERVE-71: delete the saved outputs with their conversation, but not with --keep-artifacts", async () => {
      for (const [argv, left] of [
        [[], []],
        [["--keep-artifacts"], [{ name: "out/kept.txt" }]],
      ] as const) {
        const { one, other } = await twoServers(...argv);
        await (await one.ask("/conversations/one/turns", said)).text();
        expect((await other.remove("/conversations/one")).status).toBe(204);
        await one.ask("/conversations", { id: "one" });
        expect(await (await one.ask("/conversations/one/artifacts")).json()).toMatchObject(left);
      }
    });
  });

test.each([
  ["--records", "https://example.com", "redis://"],
  ["--artifacts", "git+https://example.com/x", "s3://bucket/prefix"],
])("serve refuses %s at another kind of place and says what is valid", async (option, place, told) => {
  const { cli } = await cliFixture();
  const result = await cli(["serve", "--port", "0", option, place]);
  expect(result).toMatchObject({ code: 1, out: "", err: expect.stringContaining(told) });
});

async function twoServers(...more: readonly string[]) {
  const { baseURL } = await openaiServer([{ calls: [written] }, { text: "It is written." }]);
  const sandbox = { root: "workspaces", isolation: "none" };
  const fixture = await cliFixture({
    "home/.skillwright/skillwright.config.json": JSON.stringify({ agent: { sandbox } }),
  });
  const argv = ["--records", "sqlite:shared.sqlite", "--artifacts", "sqlite:shared.sqlite", ...more];
  const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: baseURL };
  const start = () => servedProcess(fixture, { argv, env });
  const [one, other] = [await start(), await start()];
  await one.ask("/conversations", { id: "one" });
  return { one, other, fixture };
}
