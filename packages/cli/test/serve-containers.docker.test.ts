import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { dockerRuntime } from "../../runtime-docker/src/index.js";
import { engines } from "../../runtime-docker/test/engine-setup/engines.js";
import { cliFixture } from "./cli-fixture.js";
import { servedProcess } from "./served-process.js";

if (hasAll("packages/cli/dist", "packages/server/dist"))
  describe.each(await engines(["docker"]))("a server whose workspaces are containers of $name", (engine) => {
    test.each([
      ["the same --data", []],
      ["the same --metadata", ["--metadata", "sqlite:shared.sqlite"]],
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
        const file = await (await next.ask("/conversations/one/files/text?path=work/inputs/a.txt")).json();
        expect(file).toMatchObject({ text: "kept" });
        expect((await next.remove("/conversations/one")).status).toBe(204);
        await using runtime = dockerRuntime({ image: engine.image, engine: { host: engine.host } });
        expect(await runtime.list()).not.toContain(workspace?.id);
      },
    );
  });
