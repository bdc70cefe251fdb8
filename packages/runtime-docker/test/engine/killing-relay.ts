import type { TestEngine } from "../engine-setup/engines.js";
import { type EngineRelay, engineRelay } from "./engine-relay.js";

/** A call to the engine during which the calling process is killed, so that it gets no answer. */
export interface KillPoint {
  /** Method and path. */
  readonly call: RegExp;
  /** 1 for the first call that matches, which is the default; 2 for the second. */
  readonly nth?: number;
  /** Whether the process is killed before or after the engine carries out the call. */
  readonly when: "before" | "after";
}

/**
 * Forwards calls to the engine until the given point. There it calls `kill`, and later calls do not reach the engine. Other calls that
 * the process makes before it is killed are answered as usual, because an error would let it give up. Only calls while `isArmed` returns
 * true count for the point.
 */
export async function killingRelay(
  { host }: Pick<TestEngine, "host">,
  { call, nth = 1, when }: KillPoint,
  kill: () => void,
  isArmed: () => boolean = () => true,
): Promise<EngineRelay> {
  let seen = 0;
  let isOver = false;
  return await engineRelay(host, ({ method, path }) => {
    if (isOver) return { status: 500, answer: {} };
    if (!isArmed() || !call.test(`${method} ${path}`) || ++seen !== nth) return undefined;
    const killNow = () => {
      isOver = true;
      kill();
    };
    if (when === "after") return { carriedOut: killNow };
    killNow();
    return { status: 500, answer: {} };
  });
}

const points: Readonly<Record<string, KillPoint>> = {
  "before it makes the volume": { call: /^POST .*\/volumes\/create/, when: "before" },
  "when it has made the volume": { call: /^POST .*\/volumes\/create/, when: "after" },
  "before it makes the container": { call: /^POST .*\/containers\/create/, when: "before" },
  "when it has made the container": { call: /^POST .*\/containers\/create/, when: "after" },
  "when it has put the supervisor there": { call: /^PUT .*\/archive/, when: "after" },
  "before it starts the container": { call: /^POST .*\/start/, when: "before" },
  "when it has started the container": { call: /^POST .*\/start/, when: "after" },
  "before it lays out the directories": { call: /^PUT .*\/archive/, nth: 2, when: "before" },
  "when it has laid out the directories": { call: /^PUT .*\/archive/, nth: 2, when: "after" },
};

/** The engine calls that make a workspace, in their order, if the supervisor is the container's first process. */
export const makingPoints: readonly (KillPoint & { readonly name: string })[] = Object.entries(points).map(
  ([name, point]) => ({ name, ...point }),
);
