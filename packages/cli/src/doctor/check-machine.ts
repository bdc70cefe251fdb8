import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { SkillError } from "@skillwright/core";
import { commandRuntime } from "../run/command-runtime.js";
import { formatBytes, formatDuration } from "../terminal/amounts.js";
import { checkContainers } from "./check-containers.js";
import type { Finding } from "./finding.js";
import { type TriedWorkspace, tryWorkspace } from "./try-workspace.js";

const LEAST_NODE = [22, 13] as const;
const LEAST_DISK_BYTES = 1024 ** 3;

/** Checks everything that running a skill needs on this machine, by running a command like a skill does. */
export async function checkMachine(signal: AbortSignal | undefined): Promise<readonly Finding[]> {
  const tried = await tryWorkspace(() => commandRuntime({ isolation: "auto" }), signal);
  return [
    nodeFinding(process.versions.node),
    ...(SkillError.is(tried) ? [failedFinding(tried)] : workspaceFindings(tried)),
    await checkContainers(signal),
    await diskFinding(tmpdir()),
  ];
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const enough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  if (enough) return { check: "Node", state: "ok", message: version };
  const remedy = `Install Node ${LEAST_NODE.join(".")} or later.`;
  return { check: "Node", state: "missing", message: `${version} is too old`, remedy };
}

export function workspaceFindings(tried: TriedWorkspace): readonly Finding[] {
  const { bash, python, durationMs } = tried;
  return [
    { check: "workspaces", state: "ok", message: `a command ran in ${formatDuration(durationMs)}` },
    sandboxFinding(tried),
    bash
      ? { check: "bash", state: "ok", message: bash }
      : limited("bash", "not found; commands run in sh instead", "Install bash: apt-get install bash"),
    python
      ? { check: "python3", state: "ok", message: python }
      : limited("python3", "not found", "Skills with Python scripts need it: apt-get install python3"),
  ];
}

function sandboxFinding({ isolation, diagnostics }: TriedWorkspace): Finding {
  const { level, by } = isolation;
  // Its message has the same reason as the isolation.
  const missing = diagnostics.find(({ code }) => code === "isolation.none");
  const details = diagnostics
    .filter((one) => one.severity !== "info" && one !== missing)
    .map(({ code, message, hint }) => `${message} ${hint} (${code})`);
  if (level === "none")
    return { ...limited("sandbox", `none: ${by}`, missing?.hint ?? "Use a container runtime."), details };
  return { check: "sandbox", state: details.length > 0 ? "limited" : "ok", message: by, details };
}

function failedFinding(error: SkillError): Finding {
  const { message } = error;
  // The message has the remedy.
  if (SkillError.is(error, "ISOLATION_UNAVAILABLE"))
    return { check: "workspaces", state: "missing", message };
  const remedy = `Make ${tmpdir()} writable, or set TMPDIR to a writable folder, and check that a shell is installed.`;
  return { check: "workspaces", state: "missing", message, remedy };
}

async function diskFinding(root: string): Promise<Finding> {
  const free = await statfs(root).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  const message = `${formatBytes(free)} free in ${root}`;
  if (free >= LEAST_DISK_BYTES) return { check: "disk", state: "ok", message };
  return limited("disk", message, "Free some space, or set TMPDIR to a folder on a larger disk.");
}

function limited(check: string, message: string, remedy: string): Finding {
  return { check, state: "limited", message, remedy };
}
