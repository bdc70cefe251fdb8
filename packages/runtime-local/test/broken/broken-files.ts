import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { byteStream, readBytes, SkillError } from "@skillwright/core";
import type { FileEntry } from "@skillwright/core/adapter";
import { type Breaking, workspaces } from "./breaking.js";

/** Does not check where a path leads; only for the runtime without isolation, whose root is a real path. */
const careless = workspaces((workspace) => ({
  put: async (files) => {
    for await (const { path, content } of files)
      await writeFile(join(workspace.root, path), await readBytes(content, 1_000_000)).catch(() => undefined);
  },
  get: async (path) => byteStream(await readFile(join(workspace.root, path)).catch(() => new Uint8Array())),
}));

function puts(change: (file: FileEntry) => FileEntry | undefined): Breaking {
  return workspaces(({ put }) => ({
    put: async (files, options) => {
      for await (const file of files) {
        const changed = change(file);
        if (changed) await put([changed], options);
      }
    },
  }));
}

function lists(
  change: (
    entries: Awaited<ReturnType<Parameters<Parameters<typeof workspaces>[0]>[0]["list"]>>,
  ) => typeof entries,
): Breaking {
  return workspaces(({ list }) => ({ list: async (...args) => change(await list(...args)) }));
}

export const brokenFiles: Readonly<Record<string, Breaking>> = {
  "put/bytes": puts((file) => ({ path: file.path, content: file.content })),
  "put/replaces": workspaces((workspace) => ({
    put: async (files) => {
      // In place, instead of writing aside and renaming.
      for await (const { path, content } of files)
        await writeFile(join(workspace.root, path), await readBytes(content, 1_000_000));
    },
  })),
  "put/hostile-paths": puts((file) => (file.path.includes("..") ? undefined : file)),
  "put/roots": puts((file) => ({
    ...file,
    path: /^(work|out|runs)\//.test(file.path) ? file.path : `work/${file.path}`,
  })),
  "put/links": careless,
  "put/aborted": workspaces(({ put }) => ({ put: (files) => put(files) })),
  "get/missing": workspaces(({ get }) => ({
    get: async (path) => await get(path).catch(() => byteStream("")),
  })),
  "get/hostile-paths": workspaces(({ get }) => ({ get: (path) => get(path.replaceAll("\\", "/")) })),
  "get/links": careless,
  "get/special": workspaces(({ get }) => ({
    get: async (path) => {
      try {
        return await get(path);
      } catch (error) {
        if (SkillError.is(error, "PATH_INVALID")) return byteStream("");
        throw error;
      }
    },
  })),
  "list/entries": lists((entries) => entries.filter(({ kind }) => kind !== "special")),
  "list/everything": workspaces(({ list }) => ({ list: (path = "work", options) => list(path, options) })),
  "list/marks": lists((entries) => entries.map((entry) => ({ ...entry, mark: String(entry.size) }))),
  "list/hard-links": lists((entries) =>
    entries.map((entry) =>
      entry.hardLinks ? { ...entry, hardLinks: { ...entry.hardLinks, file: entry.path } } : entry,
    ),
  ),
  "list/odd-names": lists((entries) =>
    entries.map((entry) => ({ ...entry, path: entry.path.replaceAll("\\", "") })),
  ),
  "list/refused": workspaces(({ list }) => ({ list: (...args) => list(...args).catch(() => []) })),
};
