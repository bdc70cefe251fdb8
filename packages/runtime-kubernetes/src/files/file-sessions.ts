import { type CallOptions, SkillError } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import type { Cluster } from "../cluster/cluster.js";
import { CONTAINERS, ROOT } from "../pod/pod-names.js";
import { type FileSession, fileSession } from "./file-session.js";

/** Sessions of one pod. One that is not in use is kept for the next caller. */
export interface FileSessions {
  /**
   * Lends a session. It is closed when the work was aborted or lost its connection, since answers that nobody read may
   * still arrive on it. It is kept when the pod answered with an error.
   */
  use<T>(work: (session: FileSession) => Promise<T>, options: CallOptions): Promise<T>;
  /** A session of its own; the caller gives it back, or closes it. */
  take(options: CallOptions): Promise<FileSession>;
  giveBack(session: FileSession): void;
  /** Opens a session that is likely to be needed. One that cannot be opened is opened again when it is needed. */
  prepare(): void;
  close(): void;
}

const KEPT = 4;

/** @param checkPod Rejects where the pod with this name is another one. */
export function fileSessions(
  cluster: Cluster,
  pod: string,
  checkPod: (options: CallOptions) => Promise<unknown>,
): FileSessions {
  const free: FileSession[] = [];
  let isClosed = false;
  let prepared: Promise<void> | undefined;

  async function take(options: CallOptions): Promise<FileSession> {
    if (prepared) await untilAborted(prepared, options.signal);
    for (let kept = free.pop(); kept; kept = free.pop())
      if (kept.isOpen()) {
        kept.inUse(true);
        return kept;
      }
    return await opened(options);
  }

  /** Opens the connection while it is checked that the pod is still the same one. Nothing is asked of another pod. */
  async function opened(options: CallOptions): Promise<FileSession> {
    const wish = { pod, container: CONTAINERS.files, command: ["/supervisor", "files", ROOT] };
    const opening = cluster.exec(wish, options).then(fileSession);
    // The connection may fail while the pod is still being checked, when nobody waits for it yet.
    opening.catch(() => undefined);
    try {
      await checkPod(options);
      return await opening;
    } catch (error) {
      opening.then(
        (session) => session.close(),
        () => undefined,
      );
      throw error;
    }
  }

  function prepare(): void {
    prepared = opened({}).then(giveBack, () => undefined);
  }

  function giveBack(session: FileSession): void {
    if (isClosed || !session.isOpen() || free.length >= KEPT) session.close();
    else {
      session.inUse(false);
      free.push(session);
    }
  }

  async function use<T>(work: (session: FileSession) => Promise<T>, options: CallOptions): Promise<T> {
    const session = await take(options);
    try {
      const result = await untilAborted(work(session), options.signal);
      giveBack(session);
      return result;
    } catch (error) {
      if (
        error instanceof Error &&
        error.name === "SkillError" &&
        !SkillError.is(error, "ABORTED") &&
        !SkillError.is(error, "BACKEND_FAILED")
      )
        giveBack(session);
      else session.close();
      throw error;
    }
  }

  return {
    use,
    take,
    giveBack,
    prepare,
    close: () => {
      isClosed = true;
      for (const session of free.splice(0)) session.close();
    },
  };
}
