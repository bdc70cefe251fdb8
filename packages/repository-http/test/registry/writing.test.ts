import { openArchive, writeArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import { expect, test } from "vitest";
import { memoryRepository } from "../../../repository-memory/src/index.js";
import { memoryLabels, registryHandler } from "../../src/index.js";
import { failure } from "../failure.js";
import { zip } from "../raw-archives.js";
import { csv, served, versioned } from "./test-registry.js";

test("without authorize everyone may read and nobody may change anything (STORE-22)", async () => {
  const repository = memoryRepository({ skills: { csv: { "SKILL.md": skillMarkdown("csv") } } });
  const server = await served({ repository, labels: memoryLabels() });
  const client = server.client({ token: "anything" });
  expect((await client.list()).skills).toHaveLength(1);
  for (const change of [
    () => client.upload(csv("changed")),
    () => client.delete("csv"),
    () => client.setLabel("csv", "stable", "1"),
    () => client.removeLabel("csv", "stable"),
  ])
    expect(await failure(change())).toMatchObject({ code: "REFUSED", details: { status: 403 } });
  expect((await repository.load("csv")).body).not.toBe("changed");
});

test("the application decides by token, action and skill before the body is read (STORE-22)", async () => {
  const asked: unknown[] = [];
  const server = await versioned({
    authorize({ action, skill, token }) {
      asked.push([action, skill, token]);
      return token === "writer" || (token === "reader" && action === "read");
    },
  });
  await server.client({ token: "writer" }).upload(csv("first"));
  expect(asked).toEqual([["publish", "csv", "writer"]]);
  const reader = server.client({ token: "reader" });
  expect((await reader.load("csv")).body).toBe("first");
  expect(await failure(reader.upload(csv("second")))).toMatchObject({
    code: "REFUSED",
    details: { status: 403 },
  });
  for (const call of [() => server.client().list(), () => server.client().upload(csv("second"))])
    expect(await failure(call())).toMatchObject({ code: "REFUSED", details: { status: 401 } });
  expect(await reader.versions("csv")).toHaveLength(1);
});

test.each([
  ["of another digest", zip({ name: "SKILL.md", body: skillMarkdown("csv") }), "csv", "DIGEST_MISMATCH"],
  ["with an entry outside", zip({ name: "../x", body: "" }), "csv", "PATH_OUTSIDE"],
  [
    "of several skills",
    zip({ name: "a/SKILL.md", body: "" }, { name: "b/SKILL.md", body: "" }),
    "csv",
    "SKILL_INVALID",
  ],
  ["that is no archive", Buffer.from("PK"), "csv", "SKILL_INVALID"],
  ["without a name", zip({ name: "SKILL.md", body: skillMarkdown("csv") }), undefined, "INPUT_INVALID"],
])("an upload %s is refused and stores nothing (STORE-23)", async (_, body, skill, code) => {
  const server = await versioned();
  const query = new URLSearchParams({ digest: `sha256:${"0".repeat(64)}`, ...(skill && { skill }) });
  const response = await fetch(`${server.origin}/v1/skill?${query}`, { method: "PUT", body });
  expect(await response.json()).toMatchObject({ error: { code } });
  expect((await server.client().list()).skills).toEqual([]);
});

test("an upload under another name than its own is refused", async () => {
  const server = await versioned();
  const { digest } = await server.client().upload(csv("first"));
  const body = zip({ name: "SKILL.md", body: skillMarkdown("csv", { body: "first" }) });
  const query = new URLSearchParams({ digest, skill: "pdf" });
  const response = await fetch(`${server.origin}/v1/skill?${query}`, { method: "PUT", body });
  expect(await response.json()).toMatchObject({ error: { code: "INPUT_INVALID" } });
});

test("an upload above the limit is refused by its announced length, without reading it (STORE-23)", async () => {
  const server = await versioned({ limits: { archiveBytes: 1000 } });
  const put = async (bytes: number) =>
    await fetch(`${server.origin}/v1/skill?skill=csv&digest=x`, {
      method: "PUT",
      body: new Uint8Array(bytes),
    });
  const response = await put(1001);
  expect([response.status, await response.json()]).toMatchObject([
    413,
    { error: { code: "LIMIT_EXCEEDED" } },
  ]);
  expect((await put(1000)).status).toBe(422);
});

test("an upload without a length is refused at the first byte above the limit (STORE-23)", async () => {
  const handle = registryHandler({
    repository: memoryRepository(),
    openArchive,
    writeArchive,
    authorize: () => true,
    limits: { archiveBytes: 1000 },
  });
  let given = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      given++;
      controller.enqueue(new Uint8Array(600));
    },
  });
  const init = { method: "PUT", body, duplex: "half" } as RequestInit;
  const response = await handle(new Request("http://localhost/v1/skill?skill=csv&digest=x", init));
  expect(await response.json()).toMatchObject({ error: { code: "LIMIT_EXCEEDED" } });
  // One piece may be read ahead.
  expect(given).toBeLessThanOrEqual(3);
});
