import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type RuntimeWorkspace, SkillError } from "@skillwright/core";
import { type Breaking, workspaces } from "./breaking.js";
import { type GetMany, manyByGet } from "./many-by-get.js";

function many(change: (getMany: GetMany, workspace: RuntimeWorkspace) => GetMany): Breaking {
  return workspaces((workspace) => ({ getMany: change(manyByGet(workspace.get), workspace) }));
}

export const brokenMany: Readonly<Record<string, Breaking>> = {
  "get-many/order": many((getMany) => (paths, options) => getMany([...paths].sort(), options)),
  "get-many/refused": many(
    (getMany) =>
      async function* (paths, options) {
        for await (const file of getMany(paths, options)) if (!("error" in file)) yield file;
      },
  ),
  // Like an archive, which stores a second hard link only as a link to the first.
  "get-many/same-file": many(
    (getMany, { root }) =>
      async function* (paths, options) {
        const seen = new Set<number>();
        for await (const file of getMany(paths, options)) {
          const { ino } = await stat(join(root, file.path));
          if (seen.has(ino)) yield { path: file.path, error: new SkillError("FILE_NOT_FOUND", "a link") };
          else yield file;
          seen.add(ino);
        }
      },
  ),
  // One connection for all, which is not read further.
  "get-many/unread": many(
    (getMany) =>
      async function* (paths, options) {
        let rest: AsyncIterator<Uint8Array> | undefined;
        for await (const file of getMany(paths, options)) {
          if ("error" in file) throw file.error;
          const before = rest;
          const own = file.content[Symbol.asyncIterator]();
          rest = own;
          yield { path: file.path, content: joined(before, own) };
        }
      },
  ),
  "get-many/left": many(
    (getMany) =>
      async function* (paths, options) {
        try {
          yield* getMany(paths, options);
        } finally {
          await new Promise(() => undefined);
        }
      },
  ),
  "get-many/destroyed": many(
    (getMany) =>
      async function* (paths, options) {
        try {
          yield* getMany(paths, options);
        } catch (error) {
          if (!SkillError.is(error, "WORKSPACE_NOT_FOUND")) throw error;
        }
      },
  ),
  "get-many/aborted": many((getMany) => (paths) => getMany(paths)),
};

async function* joined(...streams: (AsyncIterator<Uint8Array> | undefined)[]): AsyncIterable<Uint8Array> {
  for (const stream of streams)
    for (let next = await stream?.next(); next && !next.done; next = await stream?.next()) yield next.value;
}
