import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ArtifactStore, RecordStore } from "@skillwright/core";
import { localRuntime } from "@skillwright/runtime-local";
import { expect, onTestFinished } from "vitest";
import { removeTree } from "../../runtime-local/src/storage/remove-tree.js";
import { allEvents, ask, say, scripted, testServer } from "./test-server.js";

export interface SearchedStore {
  readonly records: RecordStore;
  readonly artifacts: ArtifactStore;
  /** All values and keys in the store, read without the adapter under test. */
  texts(): Promise<readonly string[]>;
}

/**
 * Deletes a conversation that has an upload, a command, a saved output and an answer. Checks that neither its words nor its id are left in
 * the store or in files of workspaces, and that another conversation of the user is still there.
 */
export async function leavesNothing({ records, artifacts, texts }: SearchedStore): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
  const runtime = localRuntime({ root, isolation: "none" });
  onTestFinished(async () => {
    await runtime.close();
    await removeTree(root);
  });
  const command = 'echo "a secret" | tee "$OUTPUT_DIR/kept.txt"';
  const run = { command, outputs: { globs: ["out/**"], save: true } };
  const server = testServer({
    ...scripted([{ calls: [{ tool: "workspace_run", input: run }] }, { text: "It is a secret." }]),
    ...{ runtime, records, artifacts },
  });
  const [id, other] = ["conversation-of-one-test", "another-of-the-user"];
  for (const one of [id, other]) await ask(server, "/conversations", { json: { id: one, title: "A title" } });
  const upload = { method: "PUT", body: "a secret" };
  expect((await ask(server, `/conversations/${id}/uploads/a.txt`, upload)).status).toBe(201);
  await allEvents(await say(server, id, "Tell me a secret"));
  const everything = async () => [...(await texts()), ...(await filesBelow(root))];
  const traces = async () =>
    (await everything()).filter((text) => text.includes(id) || /a secret/i.test(text));
  expect((await traces()).length).toBeGreaterThan(3);
  expect((await ask(server, `/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
  expect(await traces()).toEqual([]);
  expect((await texts()).some((text) => text.includes(other))).toBe(true);
}

/** The path and the content of each file. */
export async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (path) => `${path} ${await readFile(path, "utf8")}`));
}
