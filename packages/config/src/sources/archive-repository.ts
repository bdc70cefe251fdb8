import { createReadStream } from "node:fs";
import { basename } from "node:path";
import {
  type CallOptions,
  type Diagnostic,
  readBytes,
  SKILL_LIMITS,
  type SkillRepository,
} from "@skillwright/core";
import { attempts, checkAborted, skillFolders, skillRules, spanned } from "@skillwright/core/adapter";

const MAX_DEPTH = 6;

interface ReadArchive {
  readonly repository: SkillRepository;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The skills in an archive on this machine, as `openArchive` accepts it: one skill, or several in directories. Read-only.
 * It is read into memory by the first call, and again by the first call after `refresh`.
 */
export function archiveRepository(path: string): SkillRepository {
  const label = `archive ${path}`;
  const attempt = attempts(label);
  let current: Promise<ReadArchive> | undefined;

  const inArchive = <T>(
    { signal }: CallOptions = {},
    use: (archive: ReadArchive) => Promise<T>,
  ): Promise<T> =>
    attempt("Reading", signal, async () => {
      current ??= readArchive(path);
      const mine = current;
      mine.catch(() => {
        if (current === mine) current = undefined;
      });
      const archive = await mine;
      checkAborted(signal);
      return await use(archive);
    });

  const close = async (): Promise<void> => {
    current = undefined;
  };
  const own: SkillRepository = {
    label,
    list: (options) =>
      inArchive(options, async ({ repository, diagnostics }) => {
        const listing = await repository.list(options);
        return { ...listing, diagnostics: [...diagnostics, ...listing.diagnostics] };
      }),
    load: (name, options) => inArchive(options, ({ repository }) => repository.load(name, options)),
    open: (name, file, options) =>
      inArchive(options, ({ repository }) => repository.open(name, file, options)),
    refresh: async ({ signal } = {}) => {
      checkAborted(signal);
      current = undefined;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("repository", own, { repository: "archive" });
}

async function readArchive(path: string): Promise<ReadArchive> {
  // Loaded only when it is used, so that a start with folders only does not load them.
  const { openArchive } = await import("@skillwright/archive");
  const { memoryRepository } = await import("@skillwright/repository-memory");
  const rules = skillRules();
  const archive = await openArchive(createReadStream(path), { trees: true, leaveOut: rules.leaveOut });
  const entries = [];
  for await (const { path: file, content, executable } of archive.contents()) {
    const bytes = await readBytes(content, SKILL_LIMITS.bytes);
    entries.push({ path: file, size: bytes.byteLength, stamp: "", isText: true, content: bytes, executable });
  }
  const name = archive.directoryName ?? basename(path).replace(/\.(skill|zip|tgz|tar\.gz)$/i, "");
  const { folders, diagnostics } = skillFolders(entries, { depth: MAX_DEPTH, name, rules });
  const outermost = folders.filter(
    ({ path: inner }) => !folders.some((outer) => isInside(inner, outer.path)),
  );
  const skills = outermost.map((folder) => [
    folder.path === "." ? name : folder.path,
    Object.fromEntries(
      folder.files.map(({ path: file, content, executable }) => [file, { content, executable }]),
    ),
  ]);
  return {
    repository: memoryRepository({ skills: Object.fromEntries(skills) }),
    diagnostics: [...archive.diagnostics, ...diagnostics],
  };
}

/** True for a skill inside of another one, which the repository in memory finds by itself. */
function isInside(path: string, outer: string): boolean {
  return path !== outer && (outer === "." || path.startsWith(`${outer}/`));
}
