import { createHash } from "node:crypto";
import { mkdir, readdir, rm, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { SessionScope, TurnStore } from "@skillwright/core";
import {
  attempts,
  checkAborted,
  checkArtifactScope,
  isOutputLog,
  type StoredTurn,
  type TurnKey,
} from "@skillwright/core/adapter";
import { ignoreGone } from "./files/errno.js";
import { removeLeftovers } from "./files/leftovers.js";
import { isDead, newProcessMark } from "./files/process-mark.js";
import { withRegularFile } from "./files/regular-file.js";
import { replaceFile } from "./files/replace-file.js";
import { storedRecord } from "./files/stored-record.js";
import { inRegistryFolder, leaveRegistryFolder } from "./registry/registry-folder.js";
import { folderChanges } from "./turns/folder-changes.js";
import { logFiles } from "./turns/log-files.js";

export interface FsTurnsOptions {
  /**
   * A directory for these turns only, such as `~/.skillwright/turns`; created with the first one, accessible to this user
   * only.
   */
  readonly root: string;
}

interface Stored extends StoredTurn {
  /** Mark of the process that holds it. */
  readonly process: string;
}

const RECORD = "turn.json";
const LOG = ".jsonl";
/** The end of the file name of a log that is kept after its turn. */
const OUTPUT = ".output.jsonl";

/**
 * Stores turns in a directory for all processes of this machine: for each conversation a directory with a record and a
 * file of JSON lines for each log. Of a call of `append` whose process is killed, the first events may stay; a part of an
 * event is removed by the next call. A turn whose process has ended lapses at once. Time is this machine's clock.
 * @throws SkillError `BACKEND_FAILED` from every call where the directory or a record cannot be read or written.
 */
export function fsTurns(options: FsTurnsOptions): TurnStore {
  const root = resolve(options.root);
  const attempt = attempts(root);
  const logs = logFiles();
  const changes = folderChanges();

  const get: TurnStore["get"] = (scope, { signal } = {}) =>
    attempt("Reading a turn", signal, async () => ({
      stored: await read(folderOf(scope)),
      nowMs: Date.now(),
    }));

  const put: TurnStore["put"] = (given, from, { signal } = {}) =>
    attempt("Keeping a turn", signal, async () => {
      const folder = folderOf(given.scope);
      // The caller may change its object while this waits.
      const turn = structuredClone(given);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await inRegistryFolder(folder, signal, async () => {
        const before = await record(folder);
        if (before?.stamp !== from) return false;
        await removeLeftovers(folder);
        if (before && before.turn !== turn.turn) await removeLogs(folder, (name) => !name.endsWith(OUTPUT));
        // Others may change a turn that stays its holder's.
        const isKept = before?.turn === turn.turn && before.holder === turn.holder;
        await write(folder, { ...turn, process: isKept ? before.process : await newProcessMark() });
        return true;
      });
    });

  const append: TurnStore["append"] = ({ scope, turn, holder }, log, events, { signal } = {}) =>
    attempt("Adding to a turn", signal, async () => {
      const folder = folderOf(scope);
      const lines = events.map((event) => `${JSON.stringify(event)}\n`);
      if (!(await isHeld())) return undefined;
      return await inRegistryFolder(folder, signal, async () =>
        (await isHeld()) ? await logs.append(logFile(folder, turn, log), lines) : undefined,
      );

      async function isHeld(): Promise<boolean> {
        const stored = await read(folder);
        return stored?.turn === turn && stored.state === "active" && stored.holder === holder;
      }
    });

  const readLog: TurnStore["read"] = (key, log, from, { limit, signal }) =>
    attempt("Reading the events of a turn", signal, async () => {
      const folder = folderOf(key.scope);
      const lines = await logs.read(logFile(folder, key.turn, log), from, limit);
      return lines.map((line) => JSON.parse(line));
    });

  const lapsed: TurnStore["lapsed"] = (app, { signal } = {}) =>
    attempt("Listing turns", signal, async () => {
      const folder = appFolder(app);
      const turns: StoredTurn[] = [];
      for (const name of (await readdir(folder).catch(ignoreGone)) ?? []) {
        checkAborted(signal);
        const turn = await read(join(folder, name));
        if (turn?.state === "active" && turn.untilMs <= Date.now()) turns.push(turn);
      }
      return turns;
    });

  const remove: TurnStore["delete"] = (scope, { signal } = {}) =>
    attempt("Forgetting a turn", signal, async () => {
      const folder = folderOf(scope);
      if (!(await read(folder))) return;
      await inRegistryFolder(folder, signal, async () => {
        await unlink(join(folder, RECORD)).catch(ignoreGone);
        await removeLogs(folder, () => true);
        await removeLeftovers(folder);
      });
      await leaveRegistryFolder(folder);
    });

  const waiter: TurnStore["waiter"] = (scope, of = "all") =>
    changes.waiter(folderOf(scope), (name) => name === RECORD || (of === "all" && name.endsWith(LOG)));

  async function close(): Promise<void> {}

  return {
    get,
    put,
    append,
    read: readLog,
    lapsed,
    delete: remove,
    waiter,
    close,
    [Symbol.asyncDispose]: close,
  };

  function appFolder(app: string): string {
    return join(root, hashed([checkArtifactScope({ app }).app]));
  }

  function folderOf(scope: SessionScope): string {
    const { app, user, session } = checkArtifactScope(scope);
    return join(appFolder(app), hashed([user, session]));
  }
}

/** Maps any names to short plain ones that no file system confuses. */
function hashed(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function logFile(folder: string, turn: TurnKey["turn"], log: string): string {
  return join(folder, `${hashed([turn, log])}${isOutputLog(log) ? OUTPUT : LOG}`);
}

async function removeLogs(folder: string, isRemoved: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder))
    if (name.endsWith(LOG) && isRemoved(name)) await rm(join(folder, name), { force: true });
}

/** The turn of a process of this machine that has ended is nobody's. */
async function read(folder: string): Promise<StoredTurn | undefined> {
  const stored = await record(folder);
  if (!stored) return undefined;
  const { process, ...turn } = stored;
  const isHeld = turn.state === "active" && turn.untilMs > 0;
  return isHeld && (await isDead(process, "", Number.POSITIVE_INFINITY)) ? { ...turn, untilMs: 0 } : turn;
}

async function record(folder: string): Promise<Stored | undefined> {
  const path = join(folder, RECORD);
  const text = await withRegularFile(path, async ({ stat, read: readBytes }) =>
    new TextDecoder().decode(await readBytes(new Uint8Array(Number(stat.size)))),
  );
  return text === undefined ? undefined : storedRecord<Stored>(text, path, "process");
}

async function write(folder: string, record: Stored): Promise<void> {
  await replaceFile(join(folder, RECORD), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}
