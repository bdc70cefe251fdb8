import { type RunResult, SkillError } from "@skillwright/core";
import type { Preparation } from "./prepare-environment.js";

const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 2_000;

/** For an installer that ended with a failure. */
export function installerFailed(
  { skill, need: { declaredIn }, settings }: Pick<Preparation, "skill" | "need" | "settings">,
  { exitCode, timedOut, stdout, stderr, isolation }: RunResult,
): SkillError {
  const how = timedOut ? "exceeded its timeout" : `ended with exit code ${exitCode}`;
  const said = `${stdout.text}\n${stderr.text}`
    .trim()
    .split("\n")
    .slice(-SHOWN_LINES)
    .join("\n")
    .slice(-SHOWN_CHARACTERS);
  const isCutOff =
    ["container", "gvisor"].includes(isolation.level) &&
    /refused|unreachable|failed to establish/i.test(said);
  const loopback = isCutOff && namesLoopback(settings) ? ONLY_HOST : "";
  return new SkillError(
    "BACKEND_FAILED",
    `The packages in ${declaredIn} of the skill "${skill}" could not be installed, so nothing ran: the installer ${how}. ` +
      `Correct the file, or the configuration of the package index on this machine; the next run tries again. ${loopback}` +
      `Its last output:\n${said}`,
    { details: { skill, path: declaredIn, exitCode, timedOut } },
  );
}

/** For a runtime that gives the preparation no network. */
export function noNetwork(
  { skill, need: { declaredIn, kind } }: Pick<Preparation, "skill" | "need">,
  cause: SkillError,
): SkillError {
  const wheels = kind === "python" ? ONLY_WHEELS : "";
  return new SkillError(
    "UNSUPPORTED",
    `The packages in ${declaredIn} of the skill "${skill}" cannot be fetched from the package index, so nothing ran. ` +
      `${cause.message}${wheels}`,
    { cause, details: { ...cause.details, skill, path: declaredIn } },
  );
}

/** For a workspace with another interpreter than new workspaces have. */
export function otherInterpreter({
  skill,
  need: { declaredIn },
  workspace,
}: Pick<Preparation, "skill" | "need" | "workspace">): SkillError {
  return new SkillError(
    "CONFLICT",
    `The packages in ${declaredIn} of the skill "${skill}" cannot be prepared for the workspace ${workspace.id}, because ` +
      "new workspaces have another interpreter than it has. Destroy it, and run in a new one.",
    { details: { skill, path: declaredIn, workspaceId: workspace.id } },
  );
}

const ONLY_HOST =
  "The configuration names an address of this machine's loopback interface, which containers reach only with the engine's network host. ";
const ONLY_WHEELS =
  " Or give the packages as wheels, in wheels/ beside the file or in a folder that pip is configured with.";

function namesLoopback({ variables }: Preparation["settings"]): boolean {
  const texts = Object.values(variables).map((value) => (typeof value === "string" ? value : value.reveal()));
  return texts.some((text) => /\/\/([^/]*@)?(localhost|127\.|\[::1\])/.test(text));
}
