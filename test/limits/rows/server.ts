import { generateKeyPairSync } from "node:crypto";
import { expect, vi } from "vitest";
import { readBytes } from "../../../packages/core/src/index.js";
import { memoryRecords } from "../../../packages/repository-memory/src/index.js";
import { conversations } from "../../../packages/server/src/conversations/conversations.js";
import { retentionLimits } from "../../../packages/server/src/conversations/retention.js";
import { limitedBody } from "../../../packages/server/src/http/limited-body.js";
import { multipartFiles } from "../../../packages/server/src/http/multipart-files.js";
import type { AgentServer } from "../../../packages/server/src/index.js";
import { httpServer } from "../../../packages/server/src/node/http-server.js";
import { usableKeys } from "../../../packages/server/src/users/usable-keys.js";
import { ask, keptLog, newConversation, testServer } from "../../../packages/server/test/test-server.js";
import { GIB, KIB, limitsOf, MIB } from "../limit.js";
import { failsAfter, isOpenAfter } from "./kept-turns.js";

export const serverLimits = limitsOf("server", [
  {
    option: "`keep.eventsMs` of `agentServer`",
    kind: "default",
    value: 2_592_000_000,
    unit: "milliseconds",
    documented: ["README.md", "events of turns 2,592,000,000 ms, 30 days"],
    source: ["src/conversations/retention.ts", "eventsMs: 30 * DAY_MS"],
    probe: (value) => {
      expect(retentionLimits()).toEqual({ eventsMs: value, outputsMs: false, conversationsMs: false });
    },
  },
  {
    option: "times of `keep` of `agentServer`, least",
    kind: "limit",
    value: 60_000,
    unit: "milliseconds",
    documented: ["README.md", "at least 60,000, or `false`"],
    source: ["src/conversations/retention.ts", "MINUTE_MS = 60_000"],
    probe: (value) => {
      expect(retentionLimits({ outputsMs: value })).toMatchObject({ outputsMs: value });
      expect(() => retentionLimits({ outputsMs: value - 1 })).toThrow(String(value));
    },
  },
  {
    option: "`maxUploadBytes` of `agentServer`",
    kind: "default",
    value: 2 * GIB,
    unit: "bytes",
    documented: ["README.md", "the largest upload (2,147,483,648 bytes)"],
    source: ["src/parts/server-parts.ts", "TWO_GIB = 2 * 1024 ** 3"],
    probe: async (value) => {
      const announced = (bytes: number) =>
        new Request("http://localhost", { headers: { "content-length": String(bytes) } });
      expect(() => limitedBody(announced(value), value)).not.toThrow();
      expect(() => limitedBody(announced(value + 1), value)).toThrow(String(value));
      const server = testServer();
      const headers = { "content-length": String(value + 1) };
      const path = `/conversations/${await newConversation(server)}/uploads/a`;
      const answer = await ask(server, path, { method: "PUT", body: "x", headers });
      expect(await answer.json()).toMatchObject({ detail: expect.stringContaining(String(value)) });
    },
  },
  {
    option: "files of a form",
    kind: "limit",
    value: 100,
    unit: "files",
    documented: ["README.md", "at most 100 files"],
    source: ["src/http/multipart-files.ts", "MAX_FILES = 100"],
    probe: async (value) => {
      const form = async (files: number) => {
        const body = new FormData();
        for (let n = 0; n < files; n++) body.append("file", new Blob(["x"]), `${n}.txt`);
        const whole = new Response(body);
        const headers = { "content-type": whole.headers.get("content-type") ?? "" };
        return new Request("http://localhost", { method: "POST", headers, body: await whole.arrayBuffer() });
      };
      const taken = async (files: number) =>
        multipartFiles(await form(files), MIB, async (_, content) => (await readBytes(content, KIB)).length);
      expect(await taken(value)).toHaveLength(value);
      await expect(taken(value + 1)).rejects.toThrow(String(value));
    },
  },
  {
    option: "messages of a conversation that wait",
    kind: "limit",
    value: 20,
    unit: "messages",
    documented: ["README.md", "at most 20 in a conversation"],
    source: ["src/conversations/message-queue.ts", "MAX_QUEUED = 20"],
    probe: async (value) => {
      const { create, queue } = conversations(memoryRecords(), "limits");
      await create("ada", { id: "one", agent: "assistant" });
      const add = (place: number) =>
        queue.add("ada", "one", { turn: `${place}`, message: { id: "m", role: "user", parts: [] } });
      for (let place = 1; place <= value; place++) expect(await add(place)).toBe(place);
      await expect(add(value + 1)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    },
  },
  {
    option: "bytes of a body that is no upload",
    kind: "limit",
    value: MIB,
    unit: "bytes",
    documented: ["README.md", "A body other than an upload has at most 1 MiB"],
    source: ["src/http/server-app.ts", "MAX_BODY_BYTES = 1024 * 1024"],
    probe: async (value) => {
      const server = testServer();
      const headers = { "content-type": "application/json" };
      const sized = (bytes: number) => ask(server, "/conversations", { body: "{}".padEnd(bytes), headers });
      expect((await sized(value)).status).toBe(201);
      expect((await sized(value + 1)).status).toBe(413);
    },
  },
  {
    option: "time for a body that is no upload",
    kind: "limit",
    value: 30_000,
    unit: "ms",
    documented: ["README.md", "arrives within 30 s (408)"],
    source: ["src/http/body-deadline.ts", "BODY_MS = 30_000"],
    probe: async (value) => {
      const server = testServer({ limiter: false });
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      try {
        const headers = { "content-type": "application/json" };
        const answer = ask(server, "/conversations", { method: "POST", body: new ReadableStream(), headers });
        let status = 0;
        void answer.then((one) => {
          status = one.status;
        });
        while (vi.getTimerCount() === 0) await new Promise(setImmediate);
        await vi.advanceTimersByTimeAsync(value - 1);
        expect(status).toBe(0);
        await vi.advanceTimersByTimeAsync(1);
        expect((await answer).status).toBe(408);
      } finally {
        vi.useRealTimers();
      }
    },
  },
  {
    option: "time that a browser keeps the answer to a preflight",
    kind: "limit",
    value: 600,
    unit: "s",
    documented: ["README.md", "browsers keep that answer for 600 s"],
    source: ["src/http/cross-origin.ts", "PREFLIGHT_S = 600"],
    probe: async (value) => {
      const origin = "https://chat.example";
      const headers = { origin, "access-control-request-method": "GET" };
      const answer = await ask(testServer({ origins: [origin] }), "/agents", { method: "OPTIONS", headers });
      expect(answer.headers.get("access-control-max-age")).toBe(String(value));
    },
  },
  {
    option: "`limit` of the list of conversations",
    kind: "default",
    value: 100,
    unit: "conversations",
    documented: ["README.md", "answers with the newest 100 conversations"],
    source: ["src/routes/conversation-routes.ts", "DEFAULT_PAGE = 100"],
    probe: async (value) => {
      const server = await serverWithConversations(value + 1);
      const listed = async (query: string) => await ask(server, `/conversations${query}`);
      expect(await (await listed("")).json()).toHaveLength(value);
    },
  },
  {
    option: "`limit` of the list of conversations, most",
    kind: "limit",
    value: 1000,
    unit: "conversations",
    documented: ["README.md", "`limit` of them (1 to 1,000)"],
    source: ["src/routes/conversation-routes.ts", "MAX_PAGE = 1000"],
    probe: async (value) => {
      const server = await serverWithConversations(value + 1);
      const listed = async (query: string) => await ask(server, `/conversations${query}`);
      expect(await (await listed(`?limit=${value}`)).json()).toHaveLength(value);
      expect((await listed(`?limit=${value + 1}`)).status).toBe(400);
    },
  },
  {
    option: "time for the headers of a request",
    kind: "limit",
    value: 15_000,
    unit: "ms",
    documented: ["README.md", "Headers must arrive within 15 s"],
    source: ["src/node/http-server.ts", "HEADERS_MS = 15_000"],
    probe: (value) => expect(httpServer(testServer()).headersTimeout).toBe(value),
  },
  {
    option: "time in which stores and runtime answer `GET /ready`",
    kind: "limit",
    value: 5000,
    unit: "ms",
    documented: ["README.md", "where they do not answer within 5 s"],
    source: ["src/routes/health-routes.ts", "ANSWER_MS = 5000"],
    probe: async (value) => {
      const records = { ...memoryRecords(), write: () => new Promise<never>(() => undefined) };
      const { timeout } = AbortSignal;
      const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(1));
      const answer = await ask(testServer({ records, log: keptLog().log }), "/ready");
      expect(spy.mock.calls).toEqual([[value]]);
      spy.mockRestore();
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain(`did not answer within ${value / 1000} s`);
    },
  },
  {
    option: "`idleMs` of `listen`",
    kind: "default",
    value: 60_000,
    unit: "ms",
    documented: ["README.md", "on which nothing moves for 60 s (`idleMs`)"],
    source: ["src/node/http-server.ts", "IDLE_MS = 60_000"],
    probe: (value) => expect(httpServer(testServer()).timeout).toBe(value),
  },
  {
    option: "agents without work that stay open",
    kind: "limit",
    value: 100,
    unit: "agents",
    documented: ["README.md", "closed once 100 others were used after it"],
    source: ["src/parts/open-agents.ts", "MOST_IDLE = 100"],
    probe: async (value) => {
      expect(await isOpenAfter(value)).toBe(true);
      expect(await isOpenAfter(value + 1)).toBe(false);
    },
  },
  {
    option: "a store of turns that fails, until its readers are told",
    kind: "limit",
    value: 60_000,
    unit: "ms",
    documented: ["README.md", "wait 60 s for a store that fails"],
    source: ["src/turns/turn-stream.ts", "PATIENCE_MS = 60_000"],
    probe: failsAfter,
  },
  {
    option: "bits of an RSA key of `jwtUsers`, least",
    kind: "limit",
    value: 2048,
    unit: "bits",
    documented: ["README.md", "RSA keys of less than 2,048 bits"],
    source: ["src/users/usable-keys.ts", "LEAST_BITS = 2048"],
    probe: async (value) => {
      expect(await keysLeftOut(value)).toEqual([]);
      expect(await keysLeftOut(value - 8)).toEqual([expect.stringContaining(`has ${value - 8} bits`)]);
    },
  },
  {
    option: "`maxBytes` of a file that is read as text",
    kind: "default",
    value: 64 * KIB,
    unit: "bytes",
    documented: ["README.md", "(`maxBytes` of its beginning, 65,536; at most 1 MiB)"],
    source: ["src/routes/file-routes.ts", ".default(64 * 1024)"],
    probe: async (value) => {
      const server = testServer();
      const conversation = `/conversations/${await newConversation(server)}`;
      const body = "x".repeat(value + 1);
      await ask(server, `${conversation}/uploads/a`, { method: "PUT", body });
      const answer = await ask(server, `${conversation}/files/text?path=work/inputs/a`);
      expect(await answer.json()).toEqual({ text: "x".repeat(value), truncated: true });
    },
  },
]);

/** The errors about a published key that has so many bits. */
async function keysLeftOut(modulusLength: number): Promise<readonly string[]> {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength });
  const set = JSON.stringify({ keys: [publicKey.export({ format: "jwk" })] });
  const told: string[] = [];
  const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(set));
  try {
    const ask = usableKeys(({ message }) => told.push(message));
    await ask("https://issuer.example", {
      headers: new Headers(),
      method: "GET",
      redirect: "manual",
      signal: AbortSignal.timeout(1000),
    });
    return told;
  } finally {
    fetched.mockRestore();
  }
}

async function serverWithConversations(count: number): Promise<AgentServer> {
  const server = testServer({ limiter: false });
  for (let n = 0; n < count; n++) await newConversation(server);
  return server;
}
