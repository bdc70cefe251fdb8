import { type CallOptions, containedPath, SkillError } from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  eitherSignal,
  pythonFallbackDiagnostics,
  type RunCommand,
  type RunHandle,
  secretMasking,
  WORKSPACE_LAYOUT,
} from "@skillwright/core/adapter";
import { FALLBACK, ROOT, SUPERVISOR, type WorkspaceContainer } from "../container/workspace-container.js";
import { randomGroup } from "../exec/random-group.js";
import { runScript } from "../exec/run-script.js";
import { shellArguments } from "../exec/shell-arguments.js";
import { startExec } from "../exec/start-exec.js";
import { checkNetwork } from "../run/check-network.js";
import { startHeld } from "../run/container-limits.js";
import { type LimitPlan, planLimits } from "../run/plan-limits.js";
import { noBash } from "../run/run-diagnostics.js";
import { runEnvironment } from "../run/run-environment.js";
import { runName } from "../run/run-name.js";
import type { RunMeans } from "../run/start-run.js";
import { type Follower, followRecord } from "./follow-record.js";
import { CLAIM, keyPlace, newAttempt } from "./key-place.js";
import { keyedHandle } from "./keyed-handle.js";
import { putAttempt } from "./put-attempt.js";

type FoundCall = CallOptions & Pick<RunMeans, "closed"> & { readonly starting?: AbortSignal | undefined };
type KeyedCall = Omit<FoundCall, "closed"> & { readonly means: RunMeans };
type KeyedCommand = RunCommand & { readonly key: string };

/** The run of the key, live or ended; `undefined` where there is none. */
export async function runOfKey(
  container: WorkspaceContainer,
  key: string,
  { closed, signal, starting = signal }: FoundCall,
): Promise<RunHandle | undefined> {
  const place = keyPlace(key);
  await container.ready({ signal: starting });
  const first = await followRecord(container, { directory: place, claim: CLAIM }, { signal: starting });
  const isThere = await heardOf(first);
  if (!isThere) {
    first.close();
    return undefined;
  }
  const directory = `${place}/${first.told.attempt()}`;
  return keyedHandle(container, { directory, first }, { signal, closed });
}

/** Starts the run of the command's key, or returns the one that exists. */
export async function startKeyed(
  container: WorkspaceContainer,
  command: KeyedCommand,
  call: KeyedCall,
): Promise<RunHandle> {
  const { means, signal, starting = signal } = call;
  checkAborted(starting);
  checkCommand(command, { keyed: true });
  const cwd = command.cwd === "." ? ROOT : `${ROOT}/${containedPath(command.cwd)}`;
  const limits = planLimits(command, means.enforced);
  const network = checkNetwork(command, container.hasNetwork);
  const masking = secretMasking(command.env);
  const finding = { signal, starting, closed: means.closed };
  const known = await runOfKey(container, command.key, finding);
  if (known) return known;
  const isPython3 = means.programs.includes("python3") && !means.programs.includes("python");
  const place = { programPath: container.programPath, lastPath: isPython3 ? [FALLBACK] : [] };
  const directory = newAttempt(keyPlace(command.key));
  const claim = means.live.claim(container.workspaceId, command.runId);
  const options = { signal: eitherSignal(starting, claim.signal) };
  try {
    const { HostConfig: seen } = await container.ready(options);
    const python = isPython3 ? pythonFallbackDiagnostics(command) : [];
    const shell = container.isBash ? [] : [noBash()];
    const told = [...shell, ...limits.diagnostics, ...network, ...masking.diagnostics, ...python];
    const record = {
      formatVersion: 1,
      runId: command.runId,
      maxOutputBytes: command.maxOutputBytes,
      leaseMs: means.leaseMs,
      isolation: means.isolation,
      diagnostics: told.map(masking.diagnostic),
    } as const;
    const { variables: environment } = runEnvironment(command, place, []);
    const { patterns } = masking;
    await putAttempt(container, directory, { record, environment, patterns, stdin: command.stdin }, options);
    const launching = { directory, cwd, limits, leaseMs: means.leaseMs };
    const begin = () => launch(container, command, launching, options);
    await startHeld(container, { own: limits.container, seen, inTurn: claim.inTurn }, begin, options);
    const handle = await runOfKey(container, command.key, finding);
    if (!handle) throw await failed(container, directory);
    return handle;
  } catch (error) {
    throw masking.error(error);
  } finally {
    claim.release();
    await removeUnclaimed(container, directory).catch(() => undefined);
  }
}

/** False where there is no such run. @throws SkillError `BACKEND_FAILED` where the connection broke first. */
async function heardOf(follower: Follower): Promise<boolean> {
  const { told } = follower;
  while (!told.isNone() && !told.isOver() && told.text("run.json") === "" && !follower.isCut())
    await follower.next();
  if (told.isNone()) return false;
  if (told.text("run.json") !== "") return true;
  follower.close();
  throw new SkillError(
    "BACKEND_FAILED",
    "The connection to the engine ended while the record of a run with a key was read. Try again.",
  );
}

interface Launching {
  readonly directory: string;
  readonly cwd: string;
  readonly limits: LimitPlan;
  readonly leaseMs: number;
}

/** Enters no variable of the command: its supervisor runs as root, and reads them from the attempt. */
async function launch(
  container: WorkspaceContainer,
  command: KeyedCommand,
  launching: Launching,
  options: CallOptions,
): Promise<void> {
  const argv = supervised(container, command, launching);
  const exec = await startExec(container, { argv, as: "root" }, options);
  try {
    // The supervisor tells that the command was started, or why not; the engine may keep its streams open.
    for await (const { stream, bytes } of exec.output)
      if (stream === "stdout" && bytes.includes(LINE_END)) return;
  } finally {
    exec.close();
  }
}

const LINE_END = 10;
/** As the user of the command: its directory, and its variables, are already there. */
const MAKE_DIRECTORY = 'mkdir "$1" 2>/dev/null; shift; exec "$@"';

function supervised(
  { user, filter, shell, isBash }: WorkspaceContainer,
  { command, runId, timeoutMs, maxOutputBytes }: KeyedCommand,
  { directory, cwd, limits, leaseMs }: Launching,
): readonly [string, ...string[]] {
  const { openFiles, fileBytes } = limits;
  const limit = (name: string, value: number | undefined) =>
    value === undefined ? [] : ["--limit", `${name}=${value}`];
  const withShell = [shell, ...shellArguments({ isBash }), "-c"];
  return [
    SUPERVISOR,
    ...["run", "--files", "--record", directory, "--claim", CLAIM, "--lease", `${leaseMs}`],
    ...["--output-bytes", `${maxOutputBytes}`, "--time", `${Math.ceil(timeoutMs)}`],
    ...["--user", `${user.uid}`, "--group", `${randomGroup()}`, "--session", "--cwd", cwd],
    ...[...limit("nofile", openFiles), ...limit("fsize", fileBytes)],
    ...["--", SUPERVISOR, "filter", "--filter", filter ?? "offline", "--"],
    ...[...withShell, MAKE_DIRECTORY, runName(limits.container), `${ROOT}/${WORKSPACE_LAYOUT.runs}/${runId}`],
    ...[...withShell, command],
  ];
}

/** Nobody claimed the key, so nothing was started. */
async function failed(container: WorkspaceContainer, directory: string): Promise<SkillError> {
  const script = 'cat "$1/report"';
  const { stdout } = await runScript(container, { script, args: [directory], as: "root" });
  const report = Buffer.from(stdout).toString("utf8");
  const why = /^failed (\w+) (\d+)$/m.exec(report);
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why ? `the step "${why[1]}" failed with error ${why[2]}` : "its supervisor did not begin"}. Check \`skillwright doctor\`.`,
  );
}

const REMOVE_UNCLAIMED = `[ "$(readlink "$1/../$2")" = "\${1##*/}" ] || rm -rf "$1"`;

async function removeUnclaimed(container: WorkspaceContainer, directory: string): Promise<void> {
  await runScript(container, { script: REMOVE_UNCLAIMED, args: [directory, CLAIM], as: "root" });
}
