import { SkillError } from "@skillwright/core";
import { ROOT } from "../container/workspace-container.js";
import type { ExecOutput } from "../exec/container-exec.js";
import type { LaunchRequest } from "./launch-request.js";

/** The reason why a command was not started, from the wrapper's line or otherwise from the engine's message. */
export function notStarted(
  { cwd, runDirectory }: Pick<LaunchRequest, "cwd" | "runDirectory">,
  line: string | undefined,
  said: readonly ExecOutput[] | string,
): SkillError {
  const [place, runPlace] = [shown(cwd), shown(runDirectory)];
  const at = (path: string) => ({ details: { path } });
  switch (line) {
    case "missing":
      return new SkillError(
        "FILE_NOT_FOUND",
        `The workspace has no directory ${place}. Create it first, or choose another.`,
        at(place),
      );
    case "outside":
      return new SkillError(
        "PATH_OUTSIDE",
        `The directory ${place} leads out of the workspace through a symlink. Give a directory inside it.`,
        at(place),
      );
    case "file":
    case "closed":
      return new SkillError(
        "PATH_INVALID",
        `${place} is ${line === "file" ? "not a directory" : "a directory that commands cannot enter"}. Give another.`,
        at(place),
      );
    case "run-link":
      return new SkillError(
        "PATH_OUTSIDE",
        `The run's directory ${runPlace} is a link. Remove it, or choose another run id.`,
        at(runPlace),
      );
    default:
      return infrastructure(typeof said === "string" ? said : textOf(said));
  }
}

function shown(path: string): string {
  return path === ROOT ? "." : path.slice(ROOT.length + 1);
}

function textOf(said: readonly ExecOutput[]): string {
  return Buffer.concat(said.map(({ bytes }) => bytes)).toString("utf8");
}

function infrastructure(said: string): SkillError {
  const text = said.trim().slice(0, 500);
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${text || "the engine closed the connection without a reason"}. Look at the engine's log; the ` +
      "container may have been stopped, or have no process left to start.",
    { details: { said: text } },
  );
}
