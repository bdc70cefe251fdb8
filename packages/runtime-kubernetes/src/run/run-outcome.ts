import { constants, constants as system } from "node:os";
import { type Diagnostic, SkillError } from "@skillwright/core";
import { type NotStarted, type RunReport, spaceFull } from "@skillwright/supervisor";
import { STORAGE } from "./run-plan.js";

const { ENOENT, ENOTDIR, EXDEV, EACCES } = constants.errno;
const TOO_LARGE = 128 + system.signals.SIGXFSZ;

/** The limits that a run reached. */
export function reachedLimits(report: RunReport, exitCode: number): readonly Diagnostic[] {
  return [
    ...(report.reached.includes("memory") ? [memoryReached] : []),
    ...report.full.map((place) => (place === STORAGE ? storageFull : spaceFull(place))),
    ...(exitCode === TOO_LARGE ? [fileFull] : []),
  ];
}

/** The error of a run whose command was not started. */
export function notStarted({ step, errno, said }: NotStarted, cwd: string): SkillError {
  const details = { step, errno, path: cwd };
  if (step === "cwd") {
    if (errno === ENOENT)
      return new SkillError(
        "FILE_NOT_FOUND",
        `The directory ${cwd} of the command does not exist in the workspace. Create it first.`,
        { details },
      );
    if (errno === ENOTDIR || errno === EACCES)
      return new SkillError(
        "PATH_INVALID",
        `${cwd} is not a directory that the command can begin in. Give a directory of the workspace.`,
        { details },
      );
    if (errno === EXDEV)
      return new SkillError(
        "PATH_OUTSIDE",
        `The directory ${cwd} leads out of the workspace through a symlink. Give a directory of the workspace.`,
        { details },
      );
  }
  if (step === "first")
    return failed(
      "the first process of its pod does not answer. The container `work` may have ended: look at it with `kubectl describe pod`",
    );
  if (step === "exec" && errno === ENOENT)
    return failed("the image has no /bin/sh. Use an image with a shell");
  const why =
    step === undefined ? "its supervisor did not begin" : `the step "${step}" failed with error ${errno}`;
  return failed(`${why}. ${said.trim().slice(0, 500)}`, details);
}

function failed(why: string, details: Record<string, unknown> = {}): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why.replace(/[. ]+$/, "")}. Try again, or use a new workspace.`,
    { details },
  );
}

const memoryReached: Diagnostic = {
  code: "limit.memoryBytes-reached",
  severity: "warning",
  message:
    "The commands of the workspace needed more memory than the limit of their container, and the system killed a process of them.",
  hint: "Process the input in parts, or raise limits.memory of the runtime, with warmPool of the SandboxTemplate.",
};

const fileFull: Diagnostic = {
  code: "limit.fileBytes-reached",
  severity: "warning",
  message: "A file of the run reached the size that fileBytes allows; further data was not written.",
  hint: "Write smaller files, or raise fileBytes.",
};

const storageFull: Diagnostic = {
  code: "limit.storageBytes-reached",
  severity: "warning",
  message: "The storage of the workspace was full when the command ended; further data was not written.",
  hint: "Remove unneeded files from work/, out/ and runs/, or raise storageBytes.",
};
