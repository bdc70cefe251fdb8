import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SkillError } from "@skillwright/core";
import { delegate } from "@skillwright/core/adapter";
import { recordRegistry } from "@skillwright/records";
import { fsArtifacts, fsRecords } from "@skillwright/repository-fs";
import { memoryRecords } from "@skillwright/repository-memory";
import { sqlArtifacts, sqliteDatabase, sqlRecords } from "@skillwright/repository-sql";
import { localRuntime } from "@skillwright/runtime-local";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import { filesBelow, leavesNothing } from "./leaves-nothing.js";
import { signalled } from "./signalled.js";
import { ask, newConversation, say, scripted, testServer } from "./test-server.js";

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

test("a deleted conversation leaves neither its words nor its id in folders", async () => {
  const root = await folder();
  const at = (name: string) => ({ root: join(root, name) });
  const [records, artifacts] = [fsRecords(at("records")), fsArtifacts(at("artifacts"))];
  await leavesNothing({ records, artifacts, texts: async () => await filesBelow(root) });
});

test("a deleted conversation leaves neither its words nor its id in the tables of SQLite", async () => {
  const path = join(await folder(), "all.sqlite");
  const database = await sqliteDatabase(path);
  const [records, artifacts] = [sqlRecords({ database }), sqlArtifacts({ database })];
  const reader = new DatabaseSync(path, { readOnly: true });
  await leavesNothing({ records, artifacts, texts: async () => rowsOf(reader) });
  reader.close();
  await records.close();
  await database.close();
});

async function folder(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => removeTree(root));
  return root;
}

function rowsOf(database: DatabaseSync): string[] {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all());
  return rows.map((row) =>
    Object.values(row)
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)))
      .join(" "),
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
