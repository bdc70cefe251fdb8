import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import { type EngineRelay, engineRelay } from "./engine-relay.js";

export interface UnawareEngine extends EngineRelay {
  /**
   * Records a container without commands. After a call of the returned function, the next queries about the container
   * and its processes are answered like by an engine that has killed the container's first process and has not noticed
   * its end: it is running, and has processes that belong to no command.
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
