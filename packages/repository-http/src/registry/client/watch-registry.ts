import { setTimeout as delay } from "node:timers/promises";
import type { SkillWatch } from "@skillwright/core/adapter";
import { readRevision } from "./registry-answers.js";
import type { RegistryCalls } from "./registry-calls.js";

const MAX_WAIT_MS = 25_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/**
 * Asks for the registry's revision, then again and again with that revision: the registry answers when it has another,
 * or after a while.
 * @throws SkillError where the first question fails.
 */
export async function watchRegistry(
  calls: RegistryCalls,
  {
    listener,
    silenceMs,
    stopped,
  }: {
    readonly listener: () => void;
    /** A server that waits longer would seem to be silent. */
    readonly silenceMs: number;
    readonly stopped: AbortSignal;
  },
): Promise<SkillWatch> {
  const wait = String(Math.min(MAX_WAIT_MS, Math.floor(silenceMs * 0.8)));
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, stopped]);
  let revision = await ask({});
  const ended = follow();

  async function ask(query: Readonly<Record<string, string>>): Promise<string> {
    return readRevision(await calls.json("GET", "changes", query, signal));
  }

  async function follow(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        const now = await ask({ since: revision, wait });
        pauseMs = FIRST_PAUSE_MS;
        if (now === revision) continue;
        revision = now;
        listener();
      } catch {
        // The signal ends the pause.
        await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    await ended;
  }

  return { close, [Symbol.asyncDispose]: close };
}
