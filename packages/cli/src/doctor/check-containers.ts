import { SkillError } from "@skillwright/core";
import { formatDuration } from "../terminal/amounts.js";
import type { Finding } from "./finding.js";
import { type TriedWorkspace, tryWorkspace } from "./try-workspace.js";

/**
 * Tests whether commands can run in containers, by running one. Only the Docker runtime needs this, so a missing engine
 * is not a problem. Pulls no image.
 */
export async function checkContainers(signal: AbortSignal | undefined): Promise<Finding> {
  // Imported only here, because loading it takes several times as long as the rest of this command.
  const { dockerRuntime } = await import("@skillwright/runtime-docker");
  const tried = await tryWorkspace(() => dockerRuntime({ pull: "never", callTimeoutMs: 10_000 }), signal);
  return SkillError.is(tried) ? failedFinding(tried) : containersFinding(tried);
}

function containersFinding({ isolation, durationMs, diagnostics }: TriedWorkspace): Finding {
  const details = diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ message, hint }) => `${message} ${hint}`);
  const message = `${isolation.by}: a command ran in ${formatDuration(durationMs)}`;
  return { check: "containers", state: details.length > 0 ? "limited" : "ok", message, details };
}

function failedFinding(error: SkillError): Finding {
  const check = "containers";
  if (!SkillError.is(error, "ISOLATION_UNAVAILABLE") || process.env["DOCKER_HOST"])
    return { check, state: "limited", message: error.message };
  return { check, state: "ok", message: "no container engine found; only the Docker runtime needs one" };
}
