import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import { type EngineRelay, engineRelay } from "./engine-relay.js";

export interface UnawareEngine extends EngineRelay {
  /**
   * Takes note of a container without commands. From the call of what it gives on, the next looks at the container and at its
   * processes are answered as an engine does that has killed a container's first process and has not heard of its end: it
   * runs, and has processes that are no command's.
   */
  remember(container: WorkspaceContainer): Promise<() => void>;
}

const STALE_ANSWERS = 3;

export async function unawareEngine(engineHost: string): Promise<UnawareEngine> {
  const stale: { of: RegExp; answer: unknown; left: number }[] = [];
  const relay = await engineRelay(engineHost, ({ path }) => {
    const old = stale.find(({ of, left }) => left > 0 && of.test(path));
    if (!old) return undefined;
    old.left -= 1;
    return { status: 200, answer: old.answer };
  });

  async function remember({ container, engine }: WorkspaceContainer): Promise<() => void> {
    const state = await container.inspect();
    const list = await container.top({ ps_args: engine.isPodman ? "pid,user,group" : "-eo pid,ruid,rgid" });
    const [, ...others] = list.Processes as string[][];
    const begin = (what: string, answer: unknown) =>
      stale.push({ of: new RegExp(`/containers/${container.id}/${what}`), answer, left: STALE_ANSWERS });
    return () => {
      begin("json", state);
      begin("top", { ...list, Processes: others });
    };
  }

  return { ...relay, remember };
}
