import { type HostFolder, SkillError } from "@skillwright/core";
import { checkAborted, untilAborted, untilItWorks } from "@skillwright/core/adapter";
import { isRoot } from "./host/credentials.js";
import { checkApart, localHostFolder } from "./host-folder/local-host-folder.js";
import { decideIsolation, type IsolationInForce } from "./isolation/isolation-in-force.js";
import { notIsolated } from "./isolation/not-isolated.js";
import type { SandboxHost } from "./isolation/sandbox.js";
import { checkSkillCopies } from "./isolation/skill-copies.js";
import { type ChosenDefaults, defaultLimits } from "./limits/default-limits.js";
import { hardLimits } from "./limits/hard-limits.js";
import { type LimitedRuns, limitedRuns } from "./limits/limited-runs.js";
import { type LimitMeans, type LimitPlan, planLimits } from "./limits/plan-limits.js";
import { tryProcessLimit } from "./limits/try-process-limit.js";
import type { LocalRuntimeOptions } from "./local-runtime-options.js";
import { leaseOf } from "./recorded/lease-of.js";
import { type LiveRuns, liveRuns } from "./run/live-runs.js";
import type { RunMeans } from "./run/run-means.js";
import { checkNamespace, openRuntimeRoot, type RuntimeRoot } from "./storage/runtime-root.js";

/** What one runtime has determined, opened and must close. Nothing is determined before it is first needed. */
export interface RuntimeState {
  readonly live: LiveRuns;
  root(): Promise<RuntimeRoot>;
  readonly hostFolder: HostFolder | undefined;
  /** @throws SkillError `ISOLATION_UNAVAILABLE`, `CONFIG_INVALID`, `CLOSED`, `ABORTED`. */
  means(signal: AbortSignal | undefined): Promise<RunMeans>;
  checkOpen(): void;
  close(): Promise<void>;
}

export function runtimeState(host: SandboxHost, options: LocalRuntimeOptions): RuntimeState {
  const { isolation = "sandbox", skillCopies = "none" } = options;
  const leaseMs = leaseOf(options);
  checkIsolation(isolation);
  checkNamespace(options.namespace);
  const live = liveRuns();
  const watched = { count: 0, lookMs: 0 };
  const closing = new AbortController();
  let served: LimitedRuns | undefined;
  const root = untilItWorks(async () => {
    const opened = await openRuntimeRoot(options.root, options.namespace);
    if (hostFolder) checkApart(hostFolder.path, opened.path);
    return opened;
  });
  const hostFolder =
    options.hostFolder && localHostFolder(options.hostFolder, async () => (await root()).own);
  // Determined once, so that a workspace never changes during use.
  const found = untilItWorks(async () => {
    const decided = await decideIsolation(isolation, root, host);
    if (hostFolder && !decided.sandbox) throw noSandbox(decided);
    checkSkillCopies(skillCopies, decided.sandbox !== undefined);
    served ??= await limitedRuns(decided, host.controlGroups);
    if (closing.signal.aborted) served.server?.close();
    const limits = await limitMeans(decided, served, { ...defaultLimits(), ...options.limits });
    const told = [...notIsolated(decided), ...decided.shell.diagnostics];
    let plan: LimitPlan | undefined;
    const defaultPlan = () => (plan ??= planLimits({}, limits));
    const means = { inForce: decided, told, limits, defaultPlan, skillCopies, server: served.server };
    return { ...means, live, watched, leaseMs, closed: closing.signal };
  });

  function checkOpen(): void {
    if (closing.signal.aborted)
      throw new SkillError("CLOSED", "The local runtime has been closed. Create a new one.");
  }

  return {
    live,
    root,
    hostFolder,
    means: async (signal) => {
      checkOpen();
      checkAborted(signal);
      return await untilAborted(found(), signal);
    },
    checkOpen,
    close: async () => {
      closing.abort();
      await live.end();
      served?.server?.close();
    },
  };
}

function noSandbox({ isolation, remedy = "Ask for a sandbox" }: IsolationInForce): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `A folder of the user is given to commands only in a sandbox, and there is none: ${isolation.by}. ${remedy}, or leave out hostFolder.`,
  );
}

/** Root could raise its own limits again, so they are offered only where commands do not run as root. */
async function limitMeans(
  { sandbox, supervisor, prlimit }: IsolationInForce,
  { groups, noGroups }: LimitedRuns,
  defaults: ChosenDefaults,
): Promise<LimitMeans> {
  const hard = hardLimits();
  const setsLimits = supervisor !== undefined || prlimit !== undefined;
  if (!sandbox) {
    const perProcess = setsLimits && !isRoot();
    return { groups, noGroups, perProcess, countsProcesses: false, isolated: false, hard, defaults };
  }
  const byGroup = groups?.limits.includes("processes") ?? false;
  const countsProcesses = !byGroup && setsLimits && (await tryProcessLimit(sandbox));
  return { groups, noGroups, perProcess: setsLimits, countsProcesses, isolated: true, hard, defaults };
}

/** Without this check, an unknown value would run commands without a sandbox on a machine that cannot make one. */
function checkIsolation(isolation: unknown): void {
  if (isolation === "sandbox" || isolation === "auto" || isolation === "none") return;
  throw new SkillError(
    "CONFIG_INVALID",
    `The isolation ${JSON.stringify(isolation)} does not exist. Give "sandbox", "auto" or "none".`,
  );
}
