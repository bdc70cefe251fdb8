import {
  type BrokenSkill,
  byteStream,
  containedPath,
  type RestorableSkillRepository,
  type Skill,
  SkillError,
  type SkillSummary,
} from "@skillwright/core";
import {
  checkAborted,
  fileNotFound,
  invalidSkill,
  type SkillAmounts,
  skillNotFound,
  skillRules,
  spanned,
  uploadedSkill,
  withoutLeftOut,
} from "@skillwright/core/adapter";
import { deletedSkills } from "./deleted-skills.js";
import { isSkill } from "./skill-folder.js";
import { skillFolders } from "./skill-folders.js";
import { type MemorySkill, type StoredFiles, storedFiles, uploadedFiles } from "./stored-files.js";

export interface MemoryRepositoryOptions {
  /** Initial skills by path: `{ "csv-analyst": { "SKILL.md": "..." } }`. Defaults to none. */
  readonly skills?: Readonly<Record<string, MemorySkill>> | undefined;
  /** Limits of an upload. The initial skills are not limited. */
  readonly limits?: SkillAmounts | undefined;
  /**
   * Names of directories in a skill whose content is not part of it; a diagnostic reports it. `node_modules`, `.venv`, `venv` and
   * `__pycache__` by default.
   */
  readonly leaveOut?: readonly string[] | undefined;
}

/**
 * Stores skills in this process's memory. Read it before writing your own repository: everything is validated and
 * parsed on entry, so that listing and loading only copy. The 32 most recently deleted skills can be restored.
 * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for paths in `skills`; `CONFIG_INVALID` for limits that are not
 * whole numbers.
 */
export function memoryRepository({
  skills = {},
  limits,
  leaveOut,
}: MemoryRepositoryOptions = {}): RestorableSkillRepository {
  const rules = skillRules({ limits, leaveOut });
  const folders = skillFolders(rules);
  const removed = deletedSkills();
  // Sorted, so that an outer skill is stored before the ones inside it.
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

  const find: RestorableSkillRepository["find"] = async (name, { signal } = {}) => {
    checkAborted(signal);
    const found = lookUp(name);
    return found && isSkill(found) ? structuredClone(summary(found)) : undefined;
  };

  const load: RestorableSkillRepository["load"] = async (name, { signal, version } = {}) => {
    checkAborted(signal);
    return structuredClone(skillNamed(name, version));
  };

  const open: RestorableSkillRepository["open"] = async (name, path, { signal, version } = {}) => {
    checkAborted(signal);
    containedPath(path);
    const file = filesOf(name, version).get(path);
    if (!file) throw fileNotFound(name, path);
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
    // No await from here on, so that no reader sees a partial state.
    const skillFile = files.get("SKILL.md")?.bytes;
    const { name } = uploadedSkill(skillFile, (name) =>
      folders.skills().some((skill) => skill.name === name),
    );
    const path = pathForUpload(name, existing);
    folders.put(path, files);
    return structuredClone(skillNamed(path));
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
    return structuredClone(skillNamed(found.path));
  };

  async function close(): Promise<void> {}

  const repository: RestorableSkillRepository = {
    label: "memory",
    list,
    find,
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

  /** By name first: where two share a name, the first path wins. */
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

  function skillNamed(name: string, version?: string): Skill {
    const found = located(name, version);
    if (!isSkill(found)) throw invalidSkill(found);
    return found;
  }

  /** The path of the skill with that name, otherwise a folder of its name, unless that contains something else. */
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
  return skillNotFound(what, "memory");
}

function notDeleted(name: string): SkillError {
  const message = `No skill "${name}" was deleted here recently. deleted() lists the skills that can be restored.`;
  return new SkillError("SKILL_NOT_FOUND", message);
}

function exists(name: string): SkillError {
  const message = `A skill or folder "${name}" already exists. Delete it first, or allow it to be replaced.`;
  return new SkillError("SKILL_EXISTS", message);
}
