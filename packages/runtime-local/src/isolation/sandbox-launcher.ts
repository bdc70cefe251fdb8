import type { Credentials } from "../host/credentials.js";
import type { BubblewrapVersion } from "./bubblewrap-version.js";
import type { Mount } from "./mount.js";

/** What is needed to start a process in the sandbox; the same for all runs of a runtime. */
export interface SandboxLauncher {
  /** Absolute path of bubblewrap. */
  readonly program: string;
  readonly version: BubblewrapVersion;
  /** The user that it runs as where this process is root. */
  readonly credentials: Credentials | undefined;
  /** Absolute path of the supervisor, which is the first process inside. */
  readonly supervisor: string;
  readonly mounts: (options: { network: boolean }) => readonly Mount[];
}
