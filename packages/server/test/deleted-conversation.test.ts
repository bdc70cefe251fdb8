import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { recordRegistry } from "@skillwright/records";
import { fsArtifacts, fsRecords } from "@skillwright/repository-fs";
import { memoryRecords } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import { signalled } from "./signalled.js";
import { allEvents, ask, newConversation, say, scripted, testServer } from "./test-server.js";

describe("SERVE-94: while a conversation is being deleted", () => {
  test("an upload and a message are answered with 404, and nothing is left", async () => {
    const { server, id, destroying, goOn, left } = await setUp();
    const deleted = ask(server, `/conversations/${id}`, { method: "DELETE" });
    await destroying;
    expect((await ask(server, `/conversations/${id}/uploads/b.txt`, upload("late"))).status).toBe(404);
    expect((await say(server, id, "Hello")).status).toBe(404);
    expect((await ask(server, `/conversations/${id}`)).status).toBe(404);
    expect(await (await ask(server, "/conversations")).json()).toEqual([]);
    goOn();
    expect((await deleted).status).toBe(204);
    expect(await left()).toEqual(NOTHING);
  });

  test("an upload that started before the deletion leaves nothing", async () => {
    const { server, id, goOn, left } = await setUp();
    goOn();
    const [arrived, arrive] = signalled();
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          await arrived;
          controller.enqueue(new TextEncoder().encode("late"));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const uploading = ask(server, `/conversations/${id}/uploads/b.txt`, { method: "PUT", body });
    expect((await ask(server, `/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
    arrive();
    expect((await uploading).status).toBe(404);
    expect(await left()).toEqual(NOTHING);
  });

  test("after a deletion has failed, a second one removes everything", async () => {
    const { server, id, destroying, goOn, left } = await setUp();
    const failed = ask(server, `/conversations/${id}`, { method: "DELETE" });
    await destroying;
    goOn(new SkillError("BACKEND_FAILED", "The disk is away."));
    expect((await failed).status).toBeGreaterThanOrEqual(500);
    expect((await ask(server, `/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await left()).toEqual(NOTHING);
  });
});

test("a deleted conversation leaves neither its words nor its id on the disk", async () => {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  const at = (name: string) => ({ root: join(root, name) });
  const runtime = localRuntime({ ...at("workspaces"), isolation: "none" });
  onTestFinished(async () => {
    await runtime.close();
    await removeTree(root);
  });
  const command = 'echo "a secret" | tee "$OUTPUT_DIR/kept.txt"';
  const run = { command, outputs: { globs: ["out/**"], save: true } };
  const server = testServer({
    ...scripted([{ calls: [{ tool: "workspace_run", input: run }] }, { text: "It is a secret." }]),
    ...{ runtime, records: fsRecords(at("records")), artifacts: fsArtifacts(at("artifacts")) },
  });
  const id = "conversation-of-one-test";
  await ask(server, "/conversations", { json: { id, title: "A secret" } });
  expect((await ask(server, `/conversations/${id}/uploads/a.txt`, upload("a secret"))).status).toBe(201);
  await allEvents(await say(server, id, "Tell me a secret"));
  const traces = async () =>
    (await filesBelow(root)).filter(
      ({ path, text }) => path.includes(id) || text.includes(id) || /a secret/i.test(text),
    );
  const kinds = new Set((await traces()).map(({ path }) => path.split("/")[0]));
  expect([...kinds].sort()).toEqual(["artifacts", "records", "workspaces"]);
  expect((await ask(server, `/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
  expect(await traces()).toEqual([]);
});

async function filesBelow(root: string) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { path: relative(root, path), text: await readFile(path, "utf8") };
      }),
  );
}

const NOTHING = { workspaces: [], records: [] };
const upload = (body: string) => ({ method: "PUT", body });

/** A conversation with one file. The destruction of its workspace waits until the test calls `goOn`. */
async function setUp() {
  const [destroying, begun] = signalled();
  let goOn = (_problem?: SkillError) => undefined as unknown;
  const allowed = new Promise<SkillError | undefined>((resolve) => {
    goOn = resolve;
  });
  let isFirst = true;
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  const real = localRuntime({ root, isolation: "auto" });
  onTestFinished(async () => {
    await real.close();
    await removeTree(root);
  });
  const runtime = delegate(real, {
    destroy: async (...given) => {
      begun();
      const problem = await allowed;
      if (problem && isFirst) {
        isFirst = false;
        throw problem;
      }
      return await real.destroy(...given);
    },
  });
  const records = memoryRecords();
  const registry = recordRegistry(records);
  const app = `deleted-${crypto.randomUUID()}`;
  const server = testServer({ ...scripted([{ text: "Yes." }]), app, runtime, records, registry });
  const id = await newConversation(server);
  expect((await ask(server, `/conversations/${id}/uploads/a.txt`, upload("early"))).status).toBe(201);
  const collections = ["conversation", "session", "uploads", "turn", "question"].map((kind) => [
    kind,
    app,
    "ada",
  ]);
  const left = async () => {
    const pages = await Promise.all(
      [...collections, ["active-turn", app], ["workspace", "default"]].map((one) => records.list(one)),
    );
    return { workspaces: await real.list(), records: pages.flatMap((page) => page.records) };
  };
  return { server, id, destroying, goOn, left };
}
