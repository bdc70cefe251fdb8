import { constants as system } from "node:os";
import { getSystemErrorName } from "node:util";
import { SkillError } from "@skillwright/core";
import type { NotStarted } from "@skillwright/supervisor";
import { ROOT } from "../container/workspace-container.js";
import type { PreparedRun } from "./prepare-run.js";

const { EXDEV, ENOENT, ENOTDIR, ELOOP, ENOSPC, EDQUOT } = system.errno;

/** The error of a run whose command was not started. */
export function whyNotStarted(
  { step, errno = 0, said }: NotStarted,
  { cwd, runDirectory }: Pick<PreparedRun, "cwd" | "runDirectory">,
): SkillError {
  if (step === "cwd") return badDirectory(shown(cwd), errno);
  if (step === "make" && errno === ELOOP)
    return new SkillError(
      "PATH_OUTSIDE",
      `The run's directory ${shown(runDirectory)} is a link. Remove it, or choose another run id.`,
      { details: { path: shown(runDirectory) } },
    );
  if (step === "put" && (errno === ENOSPC || errno === EDQUOT))
    return new SkillError(
      "LIMIT_EXCEEDED",
      "The command was not started, because the disk of the engine is full. Remove unneeded containers, images and volumes there.",
    );
  const why = step && `the step "${step}" failed with ${getSystemErrorName(-errno)}`;
  const text = [why, said].filter(Boolean).join(": ").slice(0, 500);
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${text || "its supervisor did not begin"}. Look at the engine's log; the container may have been stopped, or have no process left to start.`,
    { details: { said: text } },
  );
}

function badDirectory(path: string, errno: number): SkillError {
  const details = { details: { path } };
  if (errno === ENOENT)
    return new SkillError(
      "FILE_NOT_FOUND",
      `The workspace has no directory ${path}. Create it first, or choose another.`,
      details,
    );
  if (errno === EXDEV)
    return new SkillError(
      "PATH_OUTSIDE",
      `The directory ${path} leads out of the workspace through a symlink. Give a directory inside it.`,
      details,
    );
  const why = errno === ENOTDIR ? "not a directory" : "a directory that commands cannot enter";
  return new SkillError("PATH_INVALID", `${path} is ${why}. Give another.`, details);
}

function shown(path: string): string {
  return path === ROOT ? "." : path.slice(ROOT.length + 1);
}
