import { SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { memoryArtifacts, memoryRecords } from "@skillwright/repository-memory";
import { expect, test } from "vitest";
import { ask, keptLog, testServer } from "./test-server.js";

const broken = () => Promise.reject(new SkillError("BACKEND_FAILED", "The store is away."));

test("SERVE-81: a readiness check needs no user and reads no data of users", async () => {
  const asked: (readonly string[])[] = [];
  const records = memoryRecords();
  const server = testServer({
    app: "mine",
    authenticate: () => expect.fail("asked for the user"),
    records: delegate(records, {
      get: (key, options) => {
        asked.push(key);
        return records.get(key, options);
      },
      write: (key, change, options) => {
        asked.push(key);
        return records.write(key, change, options);
      },
      read: () => expect.fail("read a log"),
    }),
  });
  expect((await ask(server, "/ready", { user: "nobody" })).status).toBe(200);
  expect(asked).toEqual([["ready", "mine"]]);
});

test.each([
  ["records cannot be written, as on a full disk,", { records: { ...memoryRecords(), write: broken } }],
  ["artifacts cannot be read", { artifacts: { ...memoryArtifacts(), list: broken } }],
])("SERVE-81: a server whose %s is not ready, and healthy", async (_, parts) => {
  const server = testServer({ ...parts, log: keptLog().log });
  expect((await ask(server, "/ready")).status).toBe(503);
  expect((await ask(server, "/health")).status).toBe(200);
});

test("SERVE-81: two servers that are asked at the same time are ready, and each checks the store once", async () => {
  const store = memoryRecords();
  let changes = 0;
  const records = delegate(store, {
    write: (...given) => {
      changes++;
      return store.write(...given);
    },
  });
  const servers = [testServer({ app: "shared", records }), testServer({ app: "shared", records })];
  const answers = await Promise.all(servers.flatMap((one) => [ask(one, "/ready"), ask(one, "/ready")]));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(changes).toBe(2);
});
