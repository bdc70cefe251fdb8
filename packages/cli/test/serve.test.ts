import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openaiServer } from "../../agent/test/openai-server.js";
import { type CliFixture, cliFixture, skill } from "./cli-fixture.js";
import { type ServedProcess, servedProcess } from "./served-process.js";

const said = (text: string) => ({ message: { parts: [{ type: "text", text }] } });

if (hasAll("packages/cli/dist", "packages/server/dist", "packages/web/dist"))
  describe("skillwright serve", () => {
    test("SERVE-20: needs nothing, listens on this machine only, and answers who shows the printed token", async () => {
      const fixture = await cliFixture({ "home/.agents/skills/greeter/SKILL.md": skill("greeter") });
      const first = await servedProcess(fixture);
      expect(new URL(first.address).hostname).toBe("127.0.0.1");
      expect(await (await fetch(`${first.address}/health`)).json()).toEqual({ status: "ok" });
      expect((await fetch(`${first.address}/agents`)).status).toBe(401);
      expect(await (await first.ask("/skills")).json()).toMatchObject({ skills: [{ name: "greeter" }] });
      await first.ask("/conversations", { id: "one" });
      const turn = await (await first.ask("/conversations/one/turns", said("What can you do?"))).text();
      expect(turn).toMatch(/^id: 0\ndata: \{"type":"start"[\s\S]*data: \[DONE\]\n\n$/);
      first.kill("SIGINT");
      expect(await first.ended).toBe(0);

      const second = await servedProcess(fixture);
      expect(second.token).not.toBe(first.token);
      expect(await (await second.ask("/conversations/one/messages")).json()).toHaveLength(2);
      expect((await stat(join(fixture.home, ".skillwright", "records"))).isDirectory()).toBe(true);
    });

    test("WEB-06: --web serves the page beside the API, prints its address, and opens no browser without a terminal", async () => {
      const served = await servedProcess(await cliFixture(), { argv: ["--web"] });
      const page = served.address.replace("/v1", "");
      await expect.poll(served.shown).toContain(`page     ${page}/#token=${served.token}\n`);
      const answer = await fetch(page);
      expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(await answer.text()).toContain("<title>Skillwright");
      expect(await (await served.ask("/server")).json()).toMatchObject({ user: expect.any(String) });
      served.kill("SIGINT");
      expect(await served.ended).toBe(0);
    });

    test("says on standard error what does not hold for commands, and the remedy", async () => {
      const served = await servedProcess(await cliFixture(), { argv: ["--isolation", "none"] });
      await expect
        .poll(served.shown)
        .toMatch(/default limits .* are not enforced: .*Run commands in a sandbox/);
    });

    test("SERVE-21: after SIGTERM it takes no new turns, finishes running ones, and exits with 0", async () => {
      const { served, turn, answer } = await heldTurn();
      served.kill("SIGTERM");
      await expect.poll(async () => (await served.ask("/ready")).status).toBe(503);
      await served.ask("/conversations", { id: "late" });
      const refused = await served.ask("/conversations/late/turns", said("Hello"));
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toBe("5");
      expect(await refused.json()).toMatchObject({ code: "CLOSED" });
      answer();
      expect(await turn).toMatch(/"delta":"Here it"[\s\S]*"finishReason":"stop"[\s\S]*data: \[DONE\]\n\n$/);
      expect(await served.ended).toBe(0);
    });

    test("SERVE-70: a request that the server cannot answer is a line on standard error, with the request id of the answer", async () => {
      const fixture = await cliFixture({});
      const served = await servedProcess(fixture);
      const records = join(fixture.home, ".skillwright", "records");
      await served.ask("/conversations", { id: "one" });
      await rm(records, { recursive: true, force: true });
      await writeFile(records, "no folder");
      const answer = await served.ask("/conversations", { id: "two" });
      expect(answer.status).toBeGreaterThanOrEqual(500);
      const { requestId } = (await answer.json()) as { requestId: string };
      const line = () =>
        served
          .shown()
          .split("\n")
          .find((line) => line.includes('"err":'));
      await expect.poll(line).toBeDefined();
      expect(JSON.parse(line() ?? "")).toMatchObject({
        ...{ level: "error", requestId, msg: "POST /v1/conversations failed" },
        err: { code: "BACKEND_FAILED" },
      });
      expect(line()).not.toContain(served.token);
    });

    test("SERVE-22: a turn that takes longer than --drain is left, the exit code is 0, and the next start goes on with it", async () => {
      const { served, fixture, env, path, turn, answer } = await heldTurn("--drain", "1ms");
      served.kill("SIGTERM");
      const before = await turn;
      expect(before).toMatch(/the server is being closed; continue after the last id/);
      expect(before).not.toContain("[DONE]");
      expect(await served.ended).toBe(0);
      answer();
      const next = await servedProcess(fixture, { env });
      const after = await (await next.ask(path)).text();
      expect(after).toMatch(
        /"turn.taken-over"[\s\S]*"delta":"Here it"[\s\S]*"finishReason":"stop"[\s\S]*\[DONE\]/,
      );
    });

    test.each(["SIGTERM", "SIGINT"] as const)(
      "SERVE-23: a second signal ends it at once (%s)",
      async (second) => {
        const { served, turn } = await heldTurn("--drain", "60m");
        served.kill("SIGTERM");
        await expect.poll(() => served.shown()).toContain("Interrupt again to end at once");
        served.kill(second);
        expect(await served.ended).toBe(second);
        await expect(turn).rejects.toThrow();
      },
    );

    test("SERVE-26: a turn whose process was killed goes on in the next one, and the conversation too", async () => {
      const { served, fixture, env, path, turn, answer } = await heldTurn();
      const cut = expect(turn).rejects.toThrow();
      served.kill("SIGKILL");
      await served.ended;
      await cut;
      answer();
      const next = await servedProcess(fixture, { env });
      const stream = await (await next.ask(path)).text();
      expect(stream).toMatch(/"delta":"Here it"[\s\S]*"finishReason":"stop"[\s\S]*\[DONE\]/);
      const told = await (await next.ask("/conversations/one/messages")).json();
      expect(told).toMatchObject([{ role: "user" }, { role: "assistant" }]);
      expect(JSON.stringify(told)).toContain("Here it is.");
    });

    test("prints no key, and no token in what it writes about requests", async () => {
      const { served, answer, turn } = await heldTurn();
      answer();
      await turn;
      await fetch(`${served.address}/agents?token=hunter2`, { headers: { authorization: "Bearer hunter2" } });
      served.kill("SIGTERM");
      await served.ended;
      expect(served.shown()).not.toContain("key-of-the-model");
      expect(served.shown()).not.toContain("hunter2");
      expect(served.shown().split(served.token)).toHaveLength(2);
    });
  });

test.each([
  ["a port that is none", ["--port", "70000"], 2, "from 0 to 65535"],
  ["a time that is none", ["--drain", "soon"], 2, "30s or 2m"],
  ["an unknown model", ["--model", "other:one"], 1, "openai"],
  ["a host that others reach", ["--host", "0.0.0.0", "--port", "0"], 1, "authenticate"],
])("serve refuses %s and says what is valid", async (_, argv, code, told) => {
  const { cli } = await cliFixture();
  const result = await cli(["serve", ...argv]);
  expect(result).toMatchObject({ code, out: "", err: expect.stringContaining(told) });
});

test("serve tells which port is in use, and how to choose another one", async () => {
  const { cli } = await cliFixture();
  const { baseURL } = await openaiServer([]);
  const { port } = new URL(baseURL);
  const { code, err } = await cli(["serve", "--port", port]);
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`port ${port}: .*EADDRINUSE[\\s\\S]*Choose another port`));
});

/** A turn whose model answers when `answer` is called. */
async function heldTurn(...argv: readonly string[]): Promise<{
  readonly served: ServedProcess;
  readonly fixture: CliFixture;
  readonly env: Record<string, string>;
  /** Of the turn's stream. */
  readonly path: string;
  readonly turn: Promise<string>;
  readonly answer: () => void;
}> {
  let answer = () => undefined as unknown;
  const after = new Promise((resolve) => {
    answer = resolve as () => void;
  });
  const { baseURL, requests } = await openaiServer([
    { text: "Here it is.", after },
    { text: "Here it is.", after },
  ]);
  const env = { OPENAI_API_KEY: "key-of-the-model", OPENAI_BASE_URL: baseURL };
  const fixture = await cliFixture();
  const served = await servedProcess(fixture, { argv, env });
  await served.ask("/conversations", { id: "one" });
  const started = await served.ask("/conversations/one/turns", said("Find it"));
  const turn = started.text();
  // Some tests end before they read it.
  turn.catch(() => undefined);
  await expect.poll(() => requests.length).toBe(1);
  const path = started.headers.get("content-location")?.replace("/v1", "") ?? "";
  return { served, fixture, env, path, turn, answer: answer as () => void };
}
