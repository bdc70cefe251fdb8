import type {
  CallOptions,
  Diagnostic,
  RunEvent,
  RunLimits,
  RuntimeWorkspace,
  Secret,
} from "@skillwright/core";
import type { BootstrapCache } from "./bootstrap-cache.js";

/** Where and with what the steps of one run are applied. */
export interface BootstrapPlace extends CallOptions {
  readonly workspace: RuntimeWorkspace;
  readonly cache: BootstrapCache | undefined;
  /** What results depend on besides the steps, such as the isolation; part of the cache keys. */
  readonly surroundings: () => Promise<string>;
  /** The application's variables for the skill. */
  readonly variables: () => Promise<Readonly<Record<string, string | Secret>>>;
  readonly limits: RunLimits | undefined;
  readonly bestEffort: boolean | undefined;
  readonly now: () => number;
  readonly emit: (event: RunEvent) => void;
  readonly tell: (diagnostic: Diagnostic) => void;
}
