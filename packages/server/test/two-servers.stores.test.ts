import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { openaiServer } from "../../agent/test/openai-server.js";
import { startRedis } from "../../metadata-redis/test/redis-server/redis-server.js";
import { freshBucket } from "../../repository-s3/test/stores/fresh-bucket.js";
import { startPostgres } from "../../repository-sql/test/databases/postgres-server.js";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import { markedSleep, processesWith } from "../../runtime-local/test/running.js";
import { allEvents, eventsOf, type Sent } from "./test-server.js";

const program = fileURLToPath(new URL("two-servers/server.mjs", import.meta.url));
const MODULES = ["server", "metadata-redis", "repository-s3", "repository-sql", "runtime-local"] as const;
const run = (skill: string, command: string) => ({
  name: "skill_run",
  arguments: JSON.stringify({ skill, command, output_files: ["out/**"], save_as_artifacts: true }),
});

/** A client that asks another one of two servers at each request. */
async function movingClient(answers: Parameters<typeof openaiServer>[0], s3?: object) {
  const root = await mkdtemp(join(tmpdir(), "skillwright-two-servers-"));
  onTestFinished(() => removeTree(root));
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const { baseURL } = await openaiServer(answers);
  const start = async () => {
    const given = [program, String(redis.port), await place, join(root, "workspaces"), baseURL];
    if (s3) given.push(JSON.stringify(s3));
    const child = spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "close");
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    const [address] = await once(child.stdout, "data");
    return `${String(address).trim()}/v1`;
  };
  const place = postgres.emptyPlace();
  const servers = [await start(), await start()];
  let asked = 0;
  return async (
    path: string,
    init: { json?: unknown; method?: string; body?: string; user?: string; at?: number } = {},
  ) => {
    const { json, method, body, user = "ada", at = asked++ % 2 } = init;
    return await fetch(`${servers[at]}${path}`, {
      method: method ?? (json === undefined ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${user}`,
        ...(json !== undefined && { "content-type": "application/json" }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(body !== undefined && { body }),
    });
  };
}

const say = (text: string) => ({ json: { message: { parts: [{ type: "text", text }] } } });

const NEEDS = [
  ...(["redis-server", "a PostgreSQL server"] as const),
  ...MODULES.map((name) => `packages/${name}/dist` as const),
];

if (hasAll(...NEEDS))
  test("SERVE-38: a client that is moved between two processes at each request has one server", async () =>
    await journey());

if (hasAll("an S3 server", ...NEEDS))
  test("SERVE-38: a client that is moved between two processes has one server with artifacts on S3", async () => {
    const { bucket, remove } = await freshBucket();
    onTestFinished(() => remove());
    await journey({ ...inject("s3"), bucket });
  });

async function journey(s3?: object): Promise<void> {
  const sleep = markedSleep();
  const ask = await movingClient(
    [
      {
        calls: [
          run(
            "own-skill",
            'tr a-z A-Z < "$WORK_DIR/inputs/a.txt" > "$OUTPUT_DIR/loud.txt"; cat "$OUTPUT_DIR/loud.txt"',
          ),
        ],
      },
      { text: "It is loud." },
      { calls: [run("own-skill", `${sleep}; true`)] },
      { calls: [run("foreign-skill", 'echo allowed >> "$WORK_DIR/allowed.txt"')] },
      { text: "It was allowed." },
    ],
    s3,
  );
  const json = async (path: string) => (await (await ask(path)).json()) as never;
  expect((await ask("/conversations", { json: { id: "c", title: "First" } })).status).toBe(201);
  expect((await ask("/conversations/c", { method: "PATCH", json: { title: "Second" } })).status).toBe(200);
  expect(await json("/conversations")).toMatchObject([{ id: "c", title: "Second" }]);
  expect((await ask("/conversations/c/uploads/a.txt", { method: "PUT", body: "quiet" })).status).toBe(201);
  const first = await allEvents(await ask("/conversations/c/turns", say("Make it loud")));
  expect(first.at(-1)?.data).toBe("[DONE]");
  const { messageId: turn } = (first[0] as Sent).data as unknown as { messageId: string };
  for (const offset of [0, 5, first.length - 2])
    expect(await allEvents(await ask(`/conversations/c/turns/${turn}/stream?offset=${offset}`))).toEqual(
      first.slice(offset),
    );
  const output = await allEvents(await ask(`/conversations/c/turns/${turn}/runs/call_0`));
  expect(JSON.stringify(output)).toContain("QUIET");
  expect(await json("/conversations/c/artifacts")).toMatchObject([{ name: "out/loud.txt", size: 5 }]);
  expect(await (await ask("/conversations/c/artifacts/content?name=out/loud.txt")).text()).toBe("QUIET");
  expect(await json("/conversations/c/messages")).toHaveLength(2);

  const stopped = await ask("/conversations/c/turns", { ...say("Sleep"), at: 0 });
  const events = eventsOf(stopped);
  await expect.poll(() => processesWith(sleep).length).toBeGreaterThan(0);
  expect(await (await ask("/conversations/c/stop", { json: {}, at: 1 })).json()).toEqual({ stopped: true });
  expect(processesWith(sleep)).toEqual([]);
  let last: unknown;
  for await (const { data } of events) last = data === "[DONE]" ? last : data;
  expect(last).toMatchObject({ type: "abort" });

  await allEvents(await ask("/conversations/c/turns", say("Run the foreign one")));
  const [open] = (await json("/approvals")) as { id: string; digest: string }[];
  const path = `/conversations/c/approvals/${open?.id}`;
  const answer = { answer: { allow: "once" }, digest: open?.digest };
  expect((await ask(path, { json: answer, user: "bob" })).status).toBe(404);
  const decided = (await (await ask(path, { json: answer })).json()) as { turn: string };
  const resumed = await allEvents(await ask(`/conversations/c/turns/${decided.turn}/stream`));
  const said = resumed.flatMap(({ data }) => (data === "[DONE]" ? [] : [data["delta"] ?? ""]));
  expect(said.join("")).toBe("It was allowed.");
  expect(await json("/conversations/c/files/text?path=work/allowed.txt")).toMatchObject({
    text: "allowed\n",
  });
  expect(await json("/usage")).toMatchObject({ total: { turns: 4 } });

  expect((await ask("/conversations/c", { method: "DELETE" })).status).toBe(204);
  expect((await ask("/conversations/c")).status).toBe(404);
  expect(await json("/workspaces")).toEqual([]);
}
