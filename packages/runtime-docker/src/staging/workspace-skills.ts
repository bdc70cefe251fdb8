import { randomBytes, randomInt } from "node:crypto";
import { type CallOptions, type RuntimeWorkspace, SkillError } from "@skillwright/core";
import type { StagedSkill } from "@skillwright/core/adapter";
import { hasPath } from "../container/found-container.js";
import { INCOMING, META, ROOT, VOLUME, type WorkspaceContainer } from "../container/workspace-container.js";
import { statusOf } from "../engine/engine-error.js";
import { type ArchiveWriter, archiveWriter, ROOT_OWNER } from "../files/archive-writer.js";
import { checkScript } from "../files/path-script.js";
import { putArchive } from "../files/put-archive.js";
import { runScript } from "../stream/run-script.js";
import { recordReader } from "./read-record.js";
import { FIRST_REVISION_BYTES, REVISION_FILE, recordFile, recordText } from "./record-format.js";
import {
  DROP_INCOMING,
  DROP_RECORD,
  EMPTY_SKILL,
  KEEP_NOTE,
  REMOVE_SKILL,
  REPLACE_SKILL,
} from "./record-scripts.js";
import { addSkill } from "./skill-archive.js";
import { checkSkillDirectoryName } from "./skill-name.js";

export interface WorkspaceSkills extends Required<Pick<RuntimeWorkspace, "stage" | "unstage" | "note">> {
  /** `undefined` where the container is gone, or its files. */
  staged(options?: CallOptions): Promise<ReadonlyMap<string, string> | undefined>;
  notes: WorkspaceSkills["staged"];
}

const UNPACKING_FAILED = 500;
const MAX_NOTE_BYTES = 1024 * 1024;
const ARGUMENT_CHARACTERS = 30_000;

/**
 * The staged skills and the notes of one workspace, in a container that is ready. Changes within one process are
 * serialized.
 */
export function workspaceSkills(container: WorkspaceContainer): WorkspaceSkills {
  const record = recordReader(container);
  const writer = container.skillCopies && container.user;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    // Its failure is thrown to the caller.
    last = turn.catch(() => undefined);
    return turn;
  }

  async function stage(skill: StagedSkill, options: CallOptions): Promise<void> {
    const { name, digest } = skill;
    checkSkillDirectoryName(name);
    // A missing skill is detected without reading the record, which is far more expensive after a change.
    const exists = await hasSkill(name, options);
    if (exists && (await record(options))?.staged.get(name) === digest) return;
    try {
      await place(skill, exists, options).catch(async (error: unknown) => {
        // Two archives unpacked at once may collide at the revision file; the fallback has no such conflict.
        if (exists || statusOf(error) !== UNPACKING_FAILED) throw error;
        await place(skill, true, options);
      });
    } catch (error) {
      throw SkillError.from(error, `Staging the skill "${name}"`);
    }
  }

  async function place(skill: StagedSkill, exists: boolean, options: CallOptions): Promise<void> {
    await using archive = archiveWriter(options);
    await (exists ? replace(skill, archive, options) : addFirst(skill, archive, options));
  }

  async function hasSkill(name: string, options: CallOptions): Promise<boolean> {
    return await hasPath(container.engine, container.container.id, `${ROOT}/skills/${name}`, options);
  }

  /** Where there is no existing skill to exchange, one archive contains the skill, followed by its record. */
  async function addFirst(skill: StagedSkill, archive: ArchiveWriter, options: CallOptions): Promise<void> {
    const { name, digest } = skill;
    await addSkill(archive, skill, inVolume(`${ROOT}/skills/${name}`), { ...options, writer });
    const meta = inVolume(META);
    archive.directory(`${meta}/staged`, ROOT_OWNER, 0o700);
    await archive.file(`${meta}/${recordFile("staged", name)}`, recordText(name, digest), ROOT_OWNER, 0o600);
    await archive.file(
      `${meta}/${REVISION_FILE}`,
      randomBytes(randomInt(FIRST_REVISION_BYTES)),
      ROOT_OWNER,
      0o600,
      randomTime(),
    );
    await putArchive(container, await archive.end(), options);
  }

  async function replace(skill: StagedSkill, archive: ArchiveWriter, options: CallOptions): Promise<void> {
    const { name, digest } = skill;
    const nonce = newNonce();
    const incoming = inVolume(`${INCOMING}/${nonce}`);
    archive.directory(incoming, ROOT_OWNER, 0o700);
    await addSkill(archive, skill, `${incoming}/new`, { ...options, writer });
    await archive.file(`${incoming}/record`, recordText(name, digest), ROOT_OWNER, 0o600);
    try {
      await putArchive(container, await archive.end(), options);
      await emptyCopy(name, options);
      await asRoot(
        REPLACE_SKILL,
        [nonce, name, recordFile("staged", name)],
        `Staging the skill "${name}"`,
        options,
      );
    } catch (error) {
      // The first failure is thrown.
      await asRoot(DROP_INCOMING, [nonce], "Clearing up").catch(() => undefined);
      throw error;
    }
  }

  async function unstage(name: string, options: CallOptions): Promise<void> {
    checkSkillDirectoryName(name);
    if (!(await hasSkill(name, options)) && !(await record(options))?.staged.has(name)) return;
    await emptyCopy(name, options);
    const args = [newNonce(), name, recordFile("staged", name)];
    await asRoot(REMOVE_SKILL, args, `Unstaging the skill "${name}"`, options);
  }

  /** Only the run's user can remove entries of directories that its commands created. */
  async function emptyCopy(name: string, options: CallOptions): Promise<void> {
    if (!writer) return;
    await asRoot(
      DROP_RECORD,
      [newNonce(), recordFile("staged", name)],
      `Replacing the skill "${name}"`,
      options,
    );
    const script = { script: EMPTY_SKILL, args: [name], as: "run" } as const;
    checkScript(await runScript(container, script, options), "skills", `Emptying the copy of "${name}"`);
  }

  async function note(key: string, text: string | undefined, options: CallOptions): Promise<void> {
    const file = recordFile("notes", key);
    if (text === undefined)
      return await asRoot(DROP_RECORD, [newNonce(), file], "Taking a note away", options);
    const whole = recordText(key, text);
    if (Buffer.byteLength(whole) > MAX_NOTE_BYTES) throw tooLong(key);
    await asRoot(KEEP_NOTE, [newNonce(), file, ...pieces(whole)], "Keeping a note", options);
  }

  async function asRoot(
    script: string,
    args: readonly string[],
    doing: string,
    options?: CallOptions,
  ): Promise<void> {
    checkScript(await runScript(container, { script, args, as: "root" }, options), "skills", doing);
  }

  return {
    stage: (skill, options = {}) => inTurn(() => stage(skill, options)),
    unstage: (name, options = {}) => inTurn(() => unstage(name, options)),
    staged: async (options = {}) => copyOf((await record(options))?.staged),
    note: (key, text, options = {}) => inTurn(() => note(key, text, options)),
    notes: async (options = {}) => copyOf((await record(options))?.notes),
  };
}

function copyOf(map: ReadonlyMap<string, string> | undefined): ReadonlyMap<string, string> | undefined {
  return map && new Map(map);
}

function inVolume(path: string): string {
  return path.slice(VOLUME.length + 1);
}

function newNonce(): string {
  return randomBytes(16).toString("hex");
}

/**
 * An archive has times in whole seconds, in which two changes may occur; and the time of unpacking is not known to it.
 */
function randomTime(): Date {
  return new Date(randomInt(2 ** 31) * 1000);
}

function pieces(text: string): readonly string[] {
  const count = Math.ceil(text.length / ARGUMENT_CHARACTERS);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * ARGUMENT_CHARACTERS, (index + 1) * ARGUMENT_CHARACTERS),
  );
}

function tooLong(key: string): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The note ${JSON.stringify(key.slice(0, 80))} is longer than ${MAX_NOTE_BYTES} bytes. Store long content in a file.`,
    { details: { limit: MAX_NOTE_BYTES } },
  );
}
