import type { WorkspaceContainer } from "../../src/container/workspace-container.js";
import { type EngineRelay, engineRelay } from "./engine-relay.js";

export interface UnawareEngine extends EngineRelay {
  /**
   * Records a container. After a call of the returned function, the next queries about the container are answered like by
   * an engine that has killed the container's first process and has not noticed its end: it is running.
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

  async function remember({ container }: WorkspaceContainer): Promise<() => void> {
    const state = await container.inspect();
    return () => {
      const of = new RegExp(`/containers/${container.id}/json`);
      stale.push({ of, answer: state, left: STALE_ANSWERS });
    };
  }

  return { ...relay, remember };
}
