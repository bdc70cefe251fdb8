import { type ProcessIdentity, signalProcess } from "../host/process-identity.js";
import { descendantsOf } from "../host/process-tree.js";

/** A supervisor that is still there after so many calls is kept from its work. */
const PLAIN_CALLS = 5;

/**
 * Resumes a supervisor whose run is to end: a command without isolation may have stopped it. One that was resumed several times is
 * stopped faster than it can act, so that its tree is stopped first. It ends the tree itself, which it alone can prove. Returns `false`
 * when it is gone.
 */
export function resumingSupervisor(identity: () => ProcessIdentity | undefined): () => boolean {
  let calls = 0;
  return () => {
    const supervisor = identity();
    if (!supervisor) return false;
    if (++calls > PLAIN_CALLS)
      for (const each of descendantsOf(supervisor.pid)) signalProcess(each, "SIGSTOP");
    return signalProcess(supervisor, "SIGCONT");
  };
}
