import { type CallOptions, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import {
  checkAborted,
  type FileEntry,
  type FileStat,
  type RunCommand,
  type StagedSkill,
  spanned,
  WORKSPACE_LAYOUT,
} from "@skillwright/core/adapter";
import { getFile } from "../files/get-file.js";
import { listFiles } from "../files/list-files.js";
import { putFile } from "../files/put-file.js";
import { putLink } from "../files/put-link.js";
import { takeAway } from "../files/take-away.js";
import { type Credentials, isRoot, UNPRIVILEGED } from "../host/credentials.js";
import { HOST_FOLDER_PATH } from "../host-folder/host-folder-options.js";
import { runOf } from "../recorded/run-of.js";
import { startRecorded } from "../recorded/start-recorded.js";
import { workspaceMounts } from "../run/run-directories.js";
import type { RunMeans } from "../run/run-means.js";
import { startUnsupervised } from "../run/start-unsupervised.js";
import { type WorkspacePaths, workspaceNotFound } from "../storage/workspace-paths.js";
import { identityOf, type LocalWorkspaceRecord, readRecord } from "../storage/workspace-record.js";
import { layoutParts, placeIn, WRITABLE_ROOTS } from "./place-in.js";
import { recordTurns } from "./record-turns.js";
import { workspaceNotes } from "./workspace-notes.js";
import { workspaceSkills } from "./workspace-skills.js";

export interface LocalWorkspaceOptions {
  readonly id: string;
  readonly paths: WorkspacePaths;
  readonly means: RunMeans;
  /** True for a workspace that was just created and is empty. */
  readonly isNew?: boolean;
  /** Throws when the runtime was closed. */
  readonly checkOpen: () => void;
}

const READABLE_ROOTS = [...WRITABLE_ROOTS, WORKSPACE_LAYOUT.skills];

/**
 * One workspace on this machine's disk. Keeps no state of it in memory, so that several processes may each hold an
 * object for it.
 */
export function localWorkspace({
  id,
  paths,
  means,
  isNew = false,
  checkOpen,
}: LocalWorkspaceOptions): RuntimeWorkspace {
  const { sandbox } = means.inForce;
  const { skillCopies } = means;
  const root = sandbox ? "/workspace" : paths.tree;
  const owner: Credentials | undefined = isRoot() ? UNPRIVILEGED : undefined;
  const inTurn = recordTurns();
  const unmeasured = { ms: 0, allowedMs: 0, limits: "", isFar: isNew };
  const mounts = workspaceMounts(root, paths);
  const place = { id, root, paths, mounts, unmeasured, watched: means.watched, record: () => record() };
  const skills = workspaceSkills(paths, { sandbox, skillCopies }, inTurn, () => record());
  const notes = workspaceNotes(paths, inTurn, () => record());

  function record(): LocalWorkspaceRecord {
    checkOpen();
    const found = readRecord(paths.directory);
    if (!found) throw workspaceNotFound(id);
    return found;
  }

  async function during<T>(
    { signal }: CallOptions,
    work: (record: LocalWorkspaceRecord) => Promise<T>,
  ): Promise<T> {
    return await explained(signal, async () => await work(record()));
  }

  /** For changes of files, after which the next run is measured before it starts. */
  async function writing<T>(
    options: CallOptions,
    work: (record: LocalWorkspaceRecord) => Promise<T>,
  ): Promise<T> {
    return await during(options, work).finally(() => {
      unmeasured.allowedMs = 0;
    });
  }

  /** For work that reads the record itself, once it is its turn to change it. */
  async function changing<T>({ signal }: CallOptions, work: () => Promise<T>): Promise<T> {
    return await explained(signal, work);
  }

  /**
   * Destroying the workspace during a call can make it fail in many ways, also if it is created again at once; all of them become the
   * same error.
   */
  async function explained<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    checkAborted(signal);
    const before = identityOf(paths.directory);
    try {
      return await work();
    } catch (error) {
      record();
      if (identityOf(paths.directory) !== before) throw workspaceNotFound(id);
      throw SkillError.from(error, `Working in the workspace ${id}`);
    }
  }

  async function put(
    files: Iterable<FileEntry> | AsyncIterable<FileEntry>,
    options: CallOptions,
  ): Promise<void> {
    await writing(options, async (current) => {
      for await (const file of files) {
        checkAborted(options.signal);
        const place = placeIn(paths, current, fileParts(file.path));
        await putFile(place, file, { ...options, owner, incoming: paths.incoming });
      }
    });
  }

  async function list(roots: readonly string[], options: CallOptions): Promise<readonly FileStat[]> {
    return await during(options, async (current) => {
      const found: (readonly FileStat[])[] = [];
      for (const path of roots)
        found.push(await listFiles(placeIn(paths, current, layoutParts(path, READABLE_ROOTS)), options));
      return sortedByPath(found.flat());
    });
  }

  const workspace: RuntimeWorkspace = {
    id,
    root,
    copiesSkills: sandbox === undefined || skillCopies === "workspace",
    stage: (skill: StagedSkill, options = {}) => changing(options, () => skills.stage(skill, options)),
    unstage: (name: string, options = {}) => changing(options, () => skills.unstage(name)),
    staged: (options = {}) => during(options, async (current) => skills.staged(current)),
    note: (key, text, options = {}) => changing(options, () => notes.note(key, text)),
    notes: (options = {}) => during(options, async (current) => notes.notes(current)),
    start: (command: RunCommand, options = {}) =>
      during(options, async (current) => {
        const call = { ...options, record: await skills.withoutWritable(current) };
        return means.server
          ? await startRecorded(place, command, { ...call, means: { ...means, server: means.server } })
          : await startUnsupervised(place, command, { ...call, means });
      }),
    runOf: (runId, { signal } = {}) =>
      during({ signal }, async () => runOf(place, runId, { signal, closed: means.closed })),
    put: (files, options = {}) => put(files, options),
    get: (path, options = {}) =>
      during(options, (current) =>
        getFile(placeIn(paths, current, layoutParts(path, READABLE_ROOTS)), options),
      ),
    link: (path, to, options = {}) =>
      during(options, (current) =>
        putLink(placeIn(paths, current, fileParts(path)), layoutParts(to, READABLE_ROOTS), {
          owner,
          incoming: paths.incoming,
        }),
      ),
    remove: (path, options = {}) =>
      writing(options, (current) => takeAway(placeIn(paths, current, fileParts(path)), paths.incoming)),
    list: (path, options = {}) => list(path === undefined ? WRITABLE_ROOTS : [path], options),
  };
  return spanned("runtime.workspace", workspace, { runtime: "local" });
}

/** A file must be below one of the directories. */
function fileParts(path: string): readonly string[] {
  const parts = layoutParts(path, WRITABLE_ROOTS);
  const least = path === HOST_FOLDER_PATH ? 2 : 1;
  if (parts.length > least) return parts;
  throw new SkillError(
    "PATH_INVALID",
    `${path} is a directory of the workspace layout. Give a file below it.`,
    {
      details: { path },
    },
  );
}

/** Sorted by bytes, which for rare characters differs from the order of JavaScript strings. */
function sortedByPath(files: readonly FileStat[]): readonly FileStat[] {
  const keyed = files.map((file) => ({ file, key: Buffer.from(file.path) }));
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ file }) => file);
}
