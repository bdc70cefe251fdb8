import { constants as system } from "node:os";
import { getSystemErrorName } from "node:util";
import type { SkillError } from "@skillwright/core";
import { notStarted } from "../run/start-errors.js";
import type { PreparedRun } from "./prepare-run.js";
import type { ServedRun } from "./served-run.js";

const { EXDEV, ENOENT, ENOTDIR, ELOOP } = system.errno;

/** The error of a run that did not begin; `undefined` for one that did. */
export async function whyNotStarted(
  { report, said, ended }: ServedRun,
  place: Pick<PreparedRun, "cwd" | "runDirectory">,
): Promise<SkillError | undefined> {
  const { begun, failed } = report();
  if (begun) return undefined;
  if (!failed) {
    const end = await ended;
    // Ended by its host before it began, or by the system: its handle tells.
    if (end === undefined || report().gone) return undefined;
    return notStarted(place, undefined, said() || "its supervisor did not begin");
  }
  const { step, errno } = failed;
  if (step === "cwd") return notStarted(place, directoryFault(errno), "");
  if (step === "make" && errno === ELOOP) return notStarted(place, "run-link", "");
  return notStarted(place, undefined, `the step "${step}" failed with ${getSystemErrorName(-errno)}`);
}

function directoryFault(errno: number): string {
  if (errno === EXDEV) return "outside";
  if (errno === ENOENT) return "missing";
  return errno === ENOTDIR ? "file" : "closed";
}
