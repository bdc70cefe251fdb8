import { type ByteStream, containedPath, type Skill, type VersionedSkillRepository } from "@skillwright/core";
import {
  attempts,
  checkAborted,
  fileNotFound,
  invalidSkill,
  isSummary,
  skillListing,
} from "@skillwright/core/adapter";
import { asVersion, publishedVersions } from "./publications/versions.js";
import type { RepositoryState } from "./repository-state.js";
import { fileBytes, fileStream, type StoredFile } from "./skills/file-content.js";
import { findSkill } from "./skills/find-skill.js";
import { type FileMemory, loadPlain } from "./skills/load-plain.js";
import { loadPublished, publishedFiles } from "./skills/load-published.js";
import { withSkill } from "./skills/locate-skill.js";
import { type PlainFolder, plainFolder } from "./skills/plain-entries.js";
import { remembered } from "./skills/skill-index.js";
import { skillReader } from "./skills/skill-reader.js";

/** Enough for the skills of a few hundred conversations; each takes about as much memory as its SKILL.md. */
const MAX_REMEMBERED = 256;
const MAX_FILES_REMEMBERED = 50_000;

/** The read operations of a repository in a bucket. */
export function reading(state: RepositoryState): VersionedSkillRepository {
  const { label, bucket, layout, rules, records, contents } = state;
  const loaded = new Map<string, Skill>();
  const files: FileMemory = new Map();
  const attempt = attempts(label);

  const list: VersionedSkillRepository["list"] = ({ signal } = {}) =>
    attempt("Listing", signal, async () => {
      const scan = await state.index.scan(signal);
      state.last = remembered(scan);
      return skillListing(scan);
    });

  const find: VersionedSkillRepository["find"] = (name, { signal } = {}) =>
    attempt(`Looking for "${name}"`, signal, () => findSkill(state, name, signal));

  const load: VersionedSkillRepository["load"] = (name, options = {}) =>
    attempt(`Loading "${name}"`, options.signal, async () => {
      const { signal } = options;
      return await withSkill(state, name, options, {
        published: async (skill) => {
          const mark = `${skill.name} ${skill.number} ${skill.id}`;
          return (
            loaded.get(mark) ??
            remember(mark, await loadPublished(bucket, layout, skill, { memory: contents, signal }))
          );
        },
        plain: async (folder, seen) => {
          const known = loaded.get(folder.path);
          const look = (): Promise<PlainFolder | undefined> =>
            plainFolder(bucket, layout, { path: folder.path, name: folder.name, rules, signal });
          const found = await loadPlain({ bucket, seen, look, files, contents, known, signal });
          bound(files, MAX_FILES_REMEMBERED);
          if (!found) return undefined;
          if (!isSummary(found)) {
            if (found.path === name) throw invalidSkill(found);
            return undefined;
          }
          if (found.name !== name && found.path !== name) return undefined;
          return remember(folder.path, found as Skill);
        },
      });
    });

  const open: VersionedSkillRepository["open"] = (name, path, options = {}) =>
    attempt(`Opening "${path}" of "${name}"`, options.signal, async () => {
      containedPath(path);
      const { signal } = options;
      const found = await withSkill(state, name, options, filesOf(signal));
      const file = found.find((each) => each.path === path);
      if (!file) throw fileNotFound(name, path);
      return streamed(file, signal);
    });

  const reader: NonNullable<VersionedSkillRepository["reader"]> = (name, options = {}) =>
    attempt(`Opening "${name}"`, options.signal, async () => {
      const { signal } = options;
      const found = await withSkill(state, name, options, filesOf(signal));
      return skillReader({
        ...{ name, files: found, parallel: bucket.parallel, signal },
        bytes: (file) =>
          attempt(`Reading "${file.path}"`, signal, () =>
            fileBytes(bucket, file, { memory: contents, signal }),
          ),
        stream: (file) => streamed(file, signal),
      });
    });

  const versions: VersionedSkillRepository["versions"] = (name, { signal } = {}) =>
    attempt(`Listing the versions of "${name}"`, signal, async () =>
      (await publishedVersions(records, name, signal)).map(asVersion),
    );

  const refresh: VersionedSkillRepository["refresh"] = async ({ signal } = {}) => {
    checkAborted(signal);
    forget();
  };

  async function close(): Promise<void> {
    forget();
  }

  return { label, list, find, load, open, reader, versions, refresh, close, [Symbol.asyncDispose]: close };

  function filesOf(signal: AbortSignal | undefined) {
    return {
      published: async (skill: Parameters<typeof publishedFiles>[1]): Promise<readonly StoredFile[]> =>
        publishedFiles(layout, skill),
      plain: async (
        { path, name }: Pick<PlainFolder, "path" | "name">,
        seen?: PlainFolder,
      ): Promise<readonly StoredFile[] | undefined> =>
        (seen ?? (await plainFolder(bucket, layout, { path, name, rules, signal })))?.files,
    };
  }

  function streamed(file: StoredFile, signal: AbortSignal | undefined): ByteStream {
    return fileStream(bucket, file, signal);
  }

  function forget(): void {
    state.forget();
    loaded.clear();
    files.clear();
  }

  function remember(mark: string, skill: Skill): Skill {
    loaded.set(mark, skill);
    bound(loaded, MAX_REMEMBERED);
    return skill;
  }
}

/** Removes the oldest entries. */
function bound(memory: Map<string, unknown>, size: number): void {
  for (const oldest of memory.keys()) {
    if (memory.size <= size) return;
    memory.delete(oldest);
  }
}
