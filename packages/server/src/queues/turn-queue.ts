import { createHash } from "node:crypto";
import { type Closable, SkillError } from "@skillwright/core";
import type { TurnKey } from "@skillwright/records";

/**
 * Makes sure that some process takes each turn to its end, across hosts. Engines of queues drive it; without one, each
 * process of a server looks in its store for turns that nobody has.
 */
export interface TurnQueue extends Closable {
  /**
   * Adds a turn. One that is waiting or worked on is not added again.
   * @throws SkillError `BACKEND_FAILED` where the engine does not take it within 5 s.
   */
  add(turn: TurnKey): Promise<void>;
  /**
   * Takes turns of the application from the queue until `stop` is called. A turn is done when `run` resolves. It is given
   * again, to this or another process, when `run` rejects or its process dies; so at least once, and by two processes at
   * once where one of them hangs.
   */
  work(app: string, run: (turn: TurnKey, options: TurnJobOptions) => Promise<void>): Promise<TurnWork>;
}

export interface TurnJobOptions {
  /** Fires at `stop`. */
  readonly signal: AbortSignal;
}

export interface TurnWork {
  /** Fires the signals and waits until `run` is called no more. What it rejects is given to another process. */
  stop(): Promise<void>;
}

/** The engine's queue for the turns of an application, in letters that every engine takes. */
export function queueName(app: string): string {
  return `skillwright-turns-${digest([app])}`;
}

/** The same for the same turn. */
export function jobName({ scope, turn }: TurnKey): string {
  return `turn-${digest([scope.app, scope.user, scope.session, turn])}`;
}

/**
 * Engines wait for their server without end; a request cannot.
 * @throws SkillError `BACKEND_FAILED`.
 */
export async function added(adding: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notTaken()), PATIENCE_MS);
  });
  try {
    await Promise.race([adding, late]);
  } catch (error) {
    throw SkillError.from(error, "Adding the turn to its queue");
  } finally {
    clearTimeout(timer);
    // Its failure is thrown above, or comes after the caller was refused.
    adding.catch(() => undefined);
  }
}

const PATIENCE_MS = 5000;

function notTaken(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The queue of turns took no turn within ${PATIENCE_MS / 1000} s. Check that its server runs and can be reached.`,
  );
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
