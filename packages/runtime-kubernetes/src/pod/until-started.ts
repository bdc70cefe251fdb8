import { setTimeout } from "node:timers/promises";
import type { CallOptions } from "@skillwright/core";
import { checkAborted, eitherSignal } from "@skillwright/core/adapter";
import { statusOf } from "../cluster/cluster-error.js";
import { isRunning, type Pod } from "./pod.js";
import { startTrouble, tooLate } from "./start-trouble.js";

export interface Start {
  readonly id: string;
  readonly timeoutMs: number;
  /** The states of the pod; ends where it cannot be watched any further. */
  watch(pod: Pod, options: CallOptions): AsyncIterable<Pod>;
  /** The pod now. @throws SkillError `WORKSPACE_NOT_FOUND` where it is gone. */
  look(pod: Pod, options: CallOptions): Promise<Pod>;
  /** Rejects where commands cannot run in the pod yet. */
  answers(pod: Pod, options: CallOptions): Promise<void>;
}

const FIRST_WAIT_MS = 60;
const LONGEST_WAIT_MS = 500;
/** After the cluster says that its containers run. */
const MOST_TRIES = 20;

/**
 * Waits until commands can run in a new pod, which is up to a second before the cluster says so.
 * @throws SkillError `BACKEND_FAILED` saying why it does not start, `ABORTED`.
 */
export async function untilStarted(made: Pod, start: Start, options: CallOptions): Promise<void> {
  const { id, timeoutMs } = start;
  const late = AbortSignal.timeout(timeoutMs);
  const over = new AbortController();
  const signal = eitherSignal(eitherSignal(options.signal, late), over.signal);
  let pod = made;
  let tries: number | undefined;

  /** Settles when the cluster says that its containers run. */
  async function told(): Promise<void> {
    while (!isRunning(pod)) {
      for await (const seen of start.watch(pod, { signal })) {
        pod = seen;
        if (isRunning(pod)) return;
        const trouble = startTrouble(pod, id);
        if (trouble) throw trouble;
      }
      pod = await start.look(pod, { signal });
    }
  }

  async function answered(): Promise<void> {
    const next = (waitMs: number) => Math.min(Math.max(waitMs * 1.5, FIRST_WAIT_MS), LONGEST_WAIT_MS);
    for (let waitMs = isRunning(made) ? 0 : FIRST_WAIT_MS; ; waitMs = next(waitMs)) {
      await setTimeout(waitMs, undefined, { signal });
      if (pod.spec?.nodeName === undefined) continue;
      try {
        return await start.answers(pod, { signal });
      } catch (error) {
        checkAborted(signal);
        if (isForbidden(error) || (tries !== undefined && ++tries > MOST_TRIES)) throw error;
      }
    }
  }

  try {
    const telling = told().then(() => {
      tries = 0;
    });
    const answering = answered();
    await Promise.race([answering, telling.then(() => answering)]);
  } catch (error) {
    checkAborted(options.signal);
    throw late.aborted ? tooLate(pod, id, timeoutMs) : error;
  } finally {
    over.abort();
  }
}

function isForbidden(error: unknown): boolean {
  const status = statusOf(error);
  return status === 401 || status === 403;
}
