import { SkillError } from "@skillwright/core";
import type { Credentials } from "../host/credentials.js";
import { unreachablePart } from "../host/reachable.js";
import { runTool, type ToolResult } from "../host/run-tool.js";
import { lentProgram } from "../isolation/lent-program.js";

const VERSION = "skillwright-supervisor 2";

export interface SupervisorPlace {
  /** The user that must be able to start it, if not this process's user. */
  readonly credentials: Credentials | undefined;
  /** Directory of this package's own files. */
  readonly directory: string;
}

/** The supervisor's absolute path, or the reason why there is none. */
export type FoundSupervisor = { readonly program: string } | { readonly missing: string };

/**
 * Finds a copy of the supervisor that starts on this machine: the packaged one, or a copy beside the workspaces where
 * the packaged one is inaccessible, on a file system without execution, or lacks its executable bit.
 * @param packaged `undefined` where there is none for this platform.
 * @throws SkillError `BACKEND_FAILED` when the machine was too busy to test it.
 */
export async function findSupervisor(
  packaged: string | undefined,
  { credentials, directory }: SupervisorPlace,
): Promise<FoundSupervisor> {
  if (packaged === undefined)
    return { missing: `no program was found for ${process.platform} on ${process.arch}` };
  const reachable = credentials === undefined || isReachable(packaged, credentials);
  if (reachable && (await starts(packaged, credentials))) return { program: packaged };
  // The answer below names the directory.
  const lent = await lentProgram(packaged, directory).catch(() => undefined);
  if (lent !== undefined && (await starts(lent, credentials))) return { program: lent };
  return { missing: `neither ${packaged} nor a copy in ${directory} can be executed` };
}

function isReachable(program: string, credentials: Credentials): boolean {
  try {
    return unreachablePart(program, credentials) === undefined;
  } catch {
    return false;
  }
}

async function starts(program: string, credentials: Credentials | undefined): Promise<boolean> {
  const result = await runTool(program, ["--version"], { credentials });
  if (isTransient(result))
    throw new SkillError(
      "BACKEND_FAILED",
      `The machine was too busy to start ${program} (${result.code ?? "no answer in time"}). Try again.`,
    );
  return result.stdout.trim() === VERSION;
}

/** ETXTBSY: another process was being forked while the copy was written. */
function isTransient({ code, timedOut }: ToolResult): boolean {
  return timedOut || ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE", "ETXTBSY"].includes(code ?? "");
}
