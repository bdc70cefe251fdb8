import { type CallOptions, SkillError } from "@skillwright/core";
import { untilAborted, untilItWorks } from "@skillwright/core/adapter";
import { type RunStream, runStream } from "@skillwright/supervisor";
import type { Cluster } from "../cluster/cluster.js";
import type { Pod } from "../pod/pod.js";
import { RECORDER_SOCKET } from "../pod/pod-manifest.js";
import { CONTAINERS } from "../pod/pod-names.js";

/**
 * The one stream of this process to the recorder of a pod. A recorder remembers the UID of its pod from the first host
 * that connects: a pod that was deleted may still run under the name of the one that replaces it.
 */
export interface RunStreams {
  /** Opens it again when it broke. @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
  open(options: CallOptions): Promise<RunStream>;
  close(): void;
}

export function runStreams(cluster: Cluster, { metadata: { name: pod, uid } }: Pod): RunStreams {
  let kept: (() => Promise<RunStream>) | undefined;
  let isClosed = false;

  async function connect(): Promise<RunStream> {
    const command = ["/supervisor", "connect", "--socket", RECORDER_SOCKET];
    const exec = await cluster.exec({ pod, container: CONTAINERS.recorder, command });
    const { output: input, write, close, inUse } = exec;
    try {
      const stream = await runStream({ input, write, close, inUse });
      if (stream.memo() === "") await stream.setMemo(uid);
      else if (stream.memo() !== uid) throw new Error("An earlier pod with this name is still there.");
      inUse(false);
      return stream;
    } catch (error) {
      close();
      const said = exec.errors().trim().replace(/\.$/, "");
      throw new SkillError(
        "BACKEND_FAILED",
        `The recorder of the pod ${pod} does not answer: ${said || "it may have ended, or another pod has its name"}. Try again.`,
        { cause: error },
      );
    }
  }

  async function open({ signal }: CallOptions): Promise<RunStream> {
    kept ??= untilItWorks(connect);
    const stream = await untilAborted(kept(), signal);
    if (stream.isOpen()) return stream;
    kept = untilItWorks(connect);
    return await untilAborted(kept(), signal);
  }

  return {
    open: async (options) => {
      if (isClosed)
        throw new SkillError("CLOSED", "The Kubernetes runtime has been closed. Create a new one.");
      return await open(options);
    },
    close: () => {
      isClosed = true;
      void kept?.().then(
        (stream) => stream.close(),
        () => undefined,
      );
    },
  };
}
