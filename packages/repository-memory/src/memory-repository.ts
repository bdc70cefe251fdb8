import {
  type BrokenSkill,
  byteStream,
  checkAborted,
  containedPath,
  type RestorableSkillRepository,
  type Skill,
  type SkillAmounts,
  SkillError,
  type SkillSummary,
  skillRules,
  spanned,
  uploadedSkill,
  withoutLeftOut,
} from "@skillwright/core";
import { deletedSkills } from "./deleted-skills.js";
import { isSkill } from "./skill-folder.js";
import { skillFolders } from "./skill-folders.js";
import { type MemorySkill, type StoredFiles, storedFiles, uploadedFiles } from "./stored-files.js";

export interface MemoryRepositoryOptions {
  /** The skills it begins with, by path: `{ "csv-analyst": { "SKILL.md": "..." } }`. None by default. */
  readonly skills?: Readonly<Record<string, MemorySkill>> | undefined;
  /** What an upload may have. The skills it begins with have no limit. */
  readonly limits?: SkillAmounts | undefined;
  /**
   * Names of directories in a skill whose content is not part of it, which is told. `node_modules`, `.venv`, `venv` and
   * `__pycache__` by default.
   */
  readonly leaveOut?: readonly string[] | undefined;
}

/**
 * Skills in this process's memory, gone with it. The repository to read before writing your own: everything is checked
 * and read when it comes in, so that listing and loading only copy what is there. The 32 skills deleted last can be restored.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for paths in `skills`; `CONFIG_INVALID` for limits that are no whole numbers.
 */
export function memoryRepository({
  skills = {},
  limits,
  leaveOut,
}: MemoryRepositoryOptions = {}): RestorableSkillRepository {
  const rules = skillRules({ limits, leaveOut });
  const folders = skillFolders(rules);
  const removed = deletedSkills();
  // Sorted, so that an outer skill is there before the ones inside it.
  for (const path of Object.keys(skills).sort())
    folders.put(containedPath(path), storedFiles(skills[path] ?? {}));

  const list: RestorableSkillRepository["list"] = async ({ signal } = {}) => {
    checkAborted(signal);
    return structuredClone({
      skills: folders.skills().map(summary),
      broken: folders.broken(),
      diagnostics: [],
    });
  };

  const load: RestorableSkillRepository["load"] = async (name, { signal, version } = {}) => {
    checkAborted(signal);
    return structuredClone(find(name, version));
  };

  const open: RestorableSkillRepository["open"] = async (name, path, { signal, version } = {}) => {
    checkAborted(signal);
    containedPath(path);
    const file = filesOf(name, version).get(path);
    if (!file) throw new SkillError("FILE_NOT_FOUND", `The skill "${name}" has no file "${path}".`);
    return byteStream(Uint8Array.from(file.bytes));
  };

  const reader: RestorableSkillRepository["reader"] = async (name, options = {}) => {
    checkAborted(options.signal);
    const files = filesOf(name, options.version);
    return async (path) => files.get(containedPath(path))?.bytes.slice() ?? (await open(name, path, options));
  };

  const refresh: RestorableSkillRepository["refresh"] = async ({ signal } = {}) => checkAborted(signal);

  const upload: RestorableSkillRepository["upload"] = async (uploaded, options = {}) => {
    const { existing = "replace", signal } = options;
    checkAborted(signal);
    const files = await uploadedFiles(uploaded, { rules, signal });
    // From here on nothing waits, so no reader sees a half of it.
    const { name } = uploadedSkill(files.get("SKILL.md")?.bytes);
    const path = pathForUpload(name, existing);
    folders.put(path, files);
    return structuredClone(find(path));
  };

  const remove: RestorableSkillRepository["delete"] = async (name, { signal } = {}) => {
    checkAborted(signal);
    const found = lookUp(name);
    if (!found) return false;
    const { path } = found;
    removed.add({ name: isSkill(found) ? found.name : path, path, files: folders.filesAt(path) });
    folders.put(path, new Map());
    return true;
  };

  const deleted: RestorableSkillRepository["deleted"] = async ({ signal } = {}) => {
    checkAborted(signal);
    return removed.list().map(({ name, path, deletedAt }) => ({ name, path, deletedAt }));
  };

  const restore: RestorableSkillRepository["restore"] = async (name, { deletedAt, signal } = {}) => {
    checkAborted(signal);
    const found = removed.find(name, deletedAt);
    if (!found) throw notDeleted(name);
    if (lookUp(name) || folders.has(found.path)) throw exists(name);
    folders.put(found.path, found.files);
    removed.take(found);
    return structuredClone(find(found.path));
  };

  async function close(): Promise<void> {}

  const repository: RestorableSkillRepository = {
    label: "memory",
    list,
    load,
    open,
    reader,
    refresh,
    upload,
    delete: remove,
    deleted,
    restore,
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("repository", repository, { repository: "memory" });

  /** By name first: of two with one name the first path wins. */
  function lookUp(name: string): Skill | BrokenSkill | undefined {
    const usable = folders.skills();
    return (
      usable.find((skill) => skill.name === name) ??
      [...usable, ...folders.broken()].find(({ path }) => path === name)
    );
  }

  function located(name: string, version?: string): Skill | BrokenSkill {
    const found = version === undefined ? lookUp(name) : undefined;
    if (!found) throw notFound(name, version);
    return found;
  }

  function filesOf(name: string, version?: string): StoredFiles {
    return withoutLeftOut(folders.filesAt(located(name, version).path), rules).files;
  }

  function find(name: string, version?: string): Skill {
    const found = located(name, version);
    if (!isSkill(found)) throw invalid(found);
    return found;
  }

  /** Where a skill of that name is, else a folder of its name, unless something else is in that. */
  function pathForUpload(name: string, existing: "replace" | "refuse"): string {
    const found = lookUp(name);
    const otherSkill = found !== undefined && isSkill(found) && found.name !== name;
    const otherFolder = found === undefined && folders.has(name);
    if (otherSkill || otherFolder || (found && existing === "refuse")) throw exists(name);
    return found?.path ?? containedPath(name);
  }
}

function summary({ body, manifest, ...rest }: Skill): SkillSummary {
  return rest;
}

function notFound(name: string, version: string | undefined): SkillError {
  const what =
    version === undefined ? `no skill "${name}"` : `no version "${version}" of the skill "${name}"`;
  return new SkillError(
    "SKILL_NOT_FOUND",
    `There is ${what} in memory. List the repository to see what is there.`,
  );
}

function notDeleted(name: string): SkillError {
  const message = `No skill "${name}" was deleted here of late. See deleted() for those that can be restored.`;
  return new SkillError("SKILL_NOT_FOUND", message);
}

function invalid({ path, diagnostics }: BrokenSkill): SkillError {
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const message = `The skill at "${path}" cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`;
  return new SkillError("SKILL_INVALID", message.trim(), { details: { diagnostics } });
}

function exists(name: string): SkillError {
  const message = `A skill or folder "${name}" is there already. Delete it first, or allow it to be replaced.`;
  return new SkillError("SKILL_EXISTS", message);
}
