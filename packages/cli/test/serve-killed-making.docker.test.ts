import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openaiServer } from "../../agent/test/openai-server.js";
import { killingRelay, makingPoints } from "../../runtime-docker/test/engine/killing-relay.js";
import { engines } from "../../runtime-docker/test/engine-setup/engines.js";
import { cliFixture } from "./cli-fixture.js";
import { type ServedProcess, servedProcess } from "./served-process.js";

if (hasAll("packages/cli/dist", "packages/server/dist"))
  describe.each(await engines(["docker"]))(
    "a server that is killed while it makes a container, on $name",
    (engine) => {
      test.each(makingPoints)(
        "SERVE-84: $name, is followed by one that works in the conversation at once",
        async (point) => {
          const sandbox = { kind: "docker", image: engine.image };
          const fixture = await cliFixture({
            "home/.skillwright/skillwright.config.json": JSON.stringify({ agent: { sandbox } }),
          });
          let killed: ServedProcess | undefined;
          let isReady = false;
          const kill = () => killed?.kill("SIGKILL");
          await using relay = await killingRelay(engine, point, kill, () => isReady);
          killed = await servedProcess(fixture, { env: { DOCKER_HOST: relay.host } });
          const id = randomUUID();
          await killed.ask("/conversations", { id });
          // When a server starts, it makes another container to find out what the engine can do.
          isReady = (await killed.ask("/ready")).ok;
          await expect(killed.upload(`/conversations/${id}/uploads/a.txt`, "lost")).rejects.toThrow();
          expect(await killed.ended).toBe("SIGKILL");
          const next = await servedProcess(fixture, { env: { DOCKER_HOST: engine.host } });
          const answer = await next.upload(`/conversations/${id}/uploads/b.txt`, "kept");
          expect([answer.status, await answer.text()]).toMatchObject([201, expect.stringContaining("b.txt")]);
          expect((await next.remove(`/conversations/${id}`)).status).toBe(204);
        },
      );

      test.each(makingPoints.filter(({ when }) => when === "after"))(
        "SERVE-84: $name, loses no call of the turn that it made it for",
        async (point) => {
          const { baseURL } = await openaiServer([
            {
              calls: [{ name: "workspace_run", arguments: '{"command":"echo x >> out/f; grep -c x out/f"}' }],
            },
            { text: "Done." },
          ]);
          const agent = {
            sandbox: { kind: "docker", image: engine.image },
            modelConfig: { provider: "openai", model: "fake", baseURL },
          };
          const fixture = await cliFixture({
            "home/.skillwright/skillwright.config.json": JSON.stringify({ agent }),
          });
          let killed: ServedProcess | undefined;
          let isReady = false;
          const kill = () => killed?.kill("SIGKILL");
          await using relay = await killingRelay(engine, point, kill, () => isReady);
          const start = (host: string) =>
            servedProcess(fixture, {
              argv: ["--lease", "1s"],
              env: { DOCKER_HOST: host, OPENAI_API_KEY: "none" },
            });
          killed = await start(relay.host);
          const id = randomUUID();
          await killed.ask("/conversations", { id });
          // When a server starts, it makes another container to find out what the engine can do.
          isReady = (await killed.ask("/ready")).ok;
          const message = { parts: [{ type: "text", text: "Count." }] };
          // The server may be killed before it has sent the head of its answer.
          const turn = await killed.ask(`/conversations/${id}/turns`, { message }).catch(() => undefined);
          await turn?.text().catch(() => undefined);
          expect(await killed.ended).toBe("SIGKILL");
          const next = await start(engine.host);
          const events = await (await next.ask(`/conversations/${id}/stream`)).text();
          expect(events).not.toContain("tool-output-error");
          expect(events).toMatch(/"tool-output-available".*"exit_code":0/);
          expect(events).toContain("Done.");
          expect((await next.remove(`/conversations/${id}`)).status).toBe(204);
        },
      );
    },
  );
