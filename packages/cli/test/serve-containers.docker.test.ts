import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { connectEngine } from "../../runtime-docker/src/engine/connect-engine.js";
import { engines, type TestEngine } from "../../runtime-docker/test/engine-setup/engines.js";
import { apartServers, type DataOptions } from "./apart-servers.js";
import { cliFixture } from "./cli-fixture.js";
import { servedProcess } from "./served-process.js";

if (hasAll("packages/cli/dist", "packages/server/dist"))
  describe.each(await engines(["docker"]))("a server whose workspaces are containers of $name", (engine) => {
    test.each([
      ["the same --data", []],
      ["the same --records", ["--records", "sqlite:shared.sqlite"]],
    ])(
      "SERVE-72: another one with %s finds the files of a killed one, and removes them with the conversation",
      async (_, argv) => {
        const sandbox = { kind: "docker", image: engine.image };
        const fixture = await cliFixture({
          "home/.skillwright/skillwright.config.json": JSON.stringify({ agent: { sandbox } }),
        });
        const start = () => servedProcess(fixture, { argv, env: { DOCKER_HOST: engine.host } });
        const killed = await start();
        await killed.ask("/conversations", { id: "one" });
        expect((await killed.upload("/conversations/one/uploads/a.txt", "kept")).status).toBe(201);
        killed.kill("SIGKILL");
        await killed.ended;
        const next = await start();
        const [workspace] = (await (await next.ask("/workspaces")).json()) as { id: string }[];
        expect(workspace).toMatchObject({ conversation: "one" });
        expect(await containersOf(engine, workspace?.id)).toHaveLength(1);
        const file = await (await next.ask("/conversations/one/files/text?path=work/inputs/a.txt")).json();
        expect(file).toMatchObject({ text: "kept" });
        expect((await next.remove("/conversations/one")).status).toBe(204);
        expect(await containersOf(engine, workspace?.id)).toEqual([]);
      },
    );

    test.each<[string, DataOptions, DataOptions]>([
      ["folders", ["--data", "a"], ["--data", "b"]],
      ["records", ["--records", "sqlite:a.sqlite"], ["--records", "sqlite:b.sqlite"]],
    ])(
      "SERVE-85: servers with their own %s have their own workspaces on one engine",
      async (_, one, other) => {
        const sandbox = { kind: "docker", image: engine.image };
        const fixture = await cliFixture({
          "home/.skillwright/skillwright.config.json": JSON.stringify({ agent: { sandbox } }),
        });
        const start = (argv: DataOptions) =>
          servedProcess(fixture, { argv, env: { DOCKER_HOST: engine.host } });
        await apartServers(start, one, other);
      },
    );
  });

/** Names of all containers of this workspace, in all namespaces. */
async function containersOf({ host }: TestEngine, id = ""): Promise<readonly string[]> {
  const engine = await connectEngine({ engine: { host }, callTimeoutMs: 30_000 });
  const found = await engine.docker.listContainers({ all: true, filters: { name: [`.${id}`] } });
  engine.close();
  return found
    .flatMap(({ Names }) => Names)
    .filter((name) => /^\/skillwright\.data-[0-9a-f]{16}\./.test(name));
}
