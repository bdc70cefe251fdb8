import { expect } from "vitest";
import type { ServedProcess } from "./served-process.js";

/** Options of `skillwright serve` that choose where its data is stored. */
export type DataOptions = readonly string[];

/**
 * Checks that two servers, which both have a conversation of the same name, neither see nor destroy each other's
 * workspace, and that the next server with the same data finds its own again.
 */
export async function apartServers(
  start: (argv: DataOptions) => Promise<ServedProcess>,
  one: DataOptions,
  other: DataOptions,
): Promise<void> {
  const first = await start(one);
  const second = await start(other);
  for (const server of [first, second]) await server.ask("/conversations", { id: "one" });
  expect((await first.upload("/conversations/one/uploads/a.txt", "of the first")).status).toBe(201);
  expect(await workspacesOf(second)).toEqual([]);
  expect((await second.upload("/conversations/one/uploads/b.txt", "of the second")).status).toBe(201);
  expect(await textOf(second, "a.txt")).toBeUndefined();
  expect((await second.remove("/conversations/one")).status).toBe(204);
  expect(await textOf(first, "a.txt")).toBe("of the first");
  first.kill("SIGKILL");
  await first.ended;
  const next = await start(one);
  expect(await textOf(next, "a.txt")).toBe("of the first");
  expect(await workspacesOf(next)).toMatchObject([{ conversation: "one" }]);
  expect((await next.remove("/conversations/one")).status).toBe(204);
}

async function workspacesOf(server: ServedProcess): Promise<readonly object[]> {
  return (await (await server.ask("/workspaces")).json()) as readonly object[];
}

async function textOf(server: ServedProcess, name: string): Promise<string | undefined> {
  const answer = await server.ask(`/conversations/one/files/text?path=work/inputs/${name}`);
  return ((await answer.json()) as { text?: string }).text;
}
