import { randomBytes } from "node:crypto";
import type { CallOptions } from "@skillwright/core";
import { statusOf } from "../engine/engine-error.js";
import type { ImageShells } from "../image/image-shell.js";
import { containerName, WAITING_PREFIX } from "./container-labels.js";
import { nameTaken } from "./create-container.js";
import { findContainer } from "./found-container.js";
import { openContainer } from "./open-container.js";
import { discardContainer } from "./remove-container.js";
import type { WorkspaceContainer } from "./workspace-container.js";

/** Containers that wait for new workspaces of this process, each with an open connection to its supervisor. */
export interface WaitingContainers {
  /**
   * Gives one to a workspace, and has another made; `undefined` where none waits.
   * @throws SkillError `CONFLICT` when the engine has a container for that workspace, `BACKEND_FAILED`, `ABORTED`.
   */
  take(workspaceId: string, options: CallOptions): Promise<WorkspaceContainer | undefined>;
  /** Makes what is missing, in the background. A failure is tried again by the next call. */
  fill(): void;
  /** Removes those that wait. */
  close(): Promise<void>;
}

export interface WaitingOptions {
  readonly count: number;
  readonly namespace: string;
  readonly shells: ImageShells;
  /** Makes a container under that id. */
  readonly make: (id: string) => Promise<WorkspaceContainer>;
}

export function waitingContainers({ count, namespace, shells, make }: WaitingOptions): WaitingContainers {
  const waiting: WorkspaceContainer[] = [];
  let filling: Promise<void> | undefined;
  let isClosed = false;

  async function take(workspaceId: string, options: CallOptions): Promise<WorkspaceContainer | undefined> {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      // The connection breaks when the container ends.
      if (!one.engine.streams.current(one)) void discardContainer(one);
      else return await given(one, workspaceId, options);
    }
    return undefined;
  }

  async function given(
    one: WorkspaceContainer,
    workspaceId: string,
    options: CallOptions,
  ): Promise<WorkspaceContainer | undefined> {
    const { engine, container } = one;
    const name = containerName(namespace, workspaceId);
    try {
      const rename = (abortSignal: AbortSignal) => container.rename({ name, abortSignal });
      await engine.call("Naming a container", rename, options);
      const found = await findContainer(engine, namespace, workspaceId, options);
      if (!found || found === "stranger" || found.id !== container.id) return undefined;
      return openContainer(engine, found, await shells.find(engine, found, options));
    } catch (error) {
      await discardContainer(one);
      throw statusOf(error) === 409 ? nameTaken(workspaceId, error) : error;
    } finally {
      fill();
    }
  }

  function fill(): void {
    // The next call tries again, and a workspace whose container cannot be made reports the reason.
    filling ??= made()
      .catch(() => undefined)
      .finally(() => {
        filling = undefined;
      });
  }

  /** One after the other, because the engine has other work. */
  async function made(): Promise<void> {
    while (!isClosed && waiting.length < count) {
      const one = await make(`${WAITING_PREFIX}${randomBytes(8).toString("hex")}`);
      // A container without a connection is of no use. The next call makes another one.
      const isOpen = await one.engine.streams.open(one).catch(() => undefined);
      if (isOpen && !isClosed) waiting.push(one);
      else {
        await discardContainer(one);
        return;
      }
    }
  }

  return {
    take,
    fill: () => {
      if (waiting.length < count) fill();
    },
    close: async () => {
      isClosed = true;
      await filling;
      await Promise.all(waiting.splice(0).map(discardContainer));
    },
  };
}
