import { type SessionScope, SkillError } from "@skillwright/core";
import { recordSessions, recordTurns } from "@skillwright/records";
import { memoryArtifacts, memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { ask, testServer } from "./test-server.js";

const broken = () => Promise.reject(new SkillError("BACKEND_FAILED", "The store is away."));

test("SERVE-81: a readiness check needs no user and reads no data of users", async () => {
  const asked: Pick<SessionScope, "app" | "user">[] = [];
  const sessions = recordSessions(memoryRecords());
  const server = testServer({
    app: "mine",
    authenticate: () => expect.fail("asked for the user"),
    sessions: {
      ...sessions,
      get: (scope, options) => {
        asked.push(scope);
        return sessions.get(scope, options);
      },
      list: (scope, options) => {
        asked.push(scope);
        return sessions.list(scope, options);
      },
    },
  });
  expect((await ask(server, "/ready", { user: "nobody" })).status).toBe(200);
  expect(asked.length).toBeGreaterThan(0);
  // Records of users' conversations are in these applications.
  for (const { app } of asked) expect(["mine", "mine.conversations"]).not.toContain(app);
});

test.each([
  ["sessions", { sessions: { ...recordSessions(memoryRecords()), get: broken } }],
  ["turns", { turns: { ...recordTurns(memoryRecords()), get: broken } }],
  ["artifacts", { artifacts: { ...memoryArtifacts(), list: broken } }],
])("SERVE-81: a server whose %s cannot be read is not ready, and healthy", async (_, parts) => {
  const server = testServer({ ...parts, onError: () => undefined });
  expect((await ask(server, "/ready")).status).toBe(503);
  expect((await ask(server, "/health")).status).toBe(200);
});

test("SERVE-81: a server whose sessions cannot be changed, as on a full disk, is not ready", async () => {
  const sessions = { ...recordSessions(memoryRecords()), update: broken };
  const server = testServer({ sessions, onError: () => undefined });
  expect((await ask(server, "/ready")).status).toBe(503);
});

test("SERVE-81: two servers that are asked at the same time are ready, and each checks the store once", async () => {
  const sessions = recordSessions(memoryRecords());
  let changes = 0;
  const counted = {
    ...sessions,
    update: (...given: Parameters<typeof sessions.update>) => {
      changes++;
      return sessions.update(...given);
    },
  };
  const servers = [
    testServer({ app: "shared", sessions: counted }),
    testServer({ app: "shared", sessions: counted }),
  ];
  const answers = await Promise.all(servers.flatMap((one) => [ask(one, "/ready"), ask(one, "/ready")]));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(changes).toBe(2);
});
