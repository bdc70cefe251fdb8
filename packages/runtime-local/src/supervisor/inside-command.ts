import { MEMORY_FILE_SYSTEMS } from "../isolation/bubblewrap-arguments.js";
import { type Mount, readOnly } from "../isolation/mount.js";

/** Path of the supervisor in every sandbox. */
const INSIDE = "/opt/skillwright/supervisor";
const SPACES = MEMORY_FILE_SYSTEMS.flatMap((path) => ["--space", path]);

export interface InsideCommand {
  readonly argv: readonly string[];
  /** Limits for each process, as `NAME=NUMBER`. */
  readonly each: readonly string[];
  readonly network: boolean;
  /** Descriptors on which the supervisor reports and listens. */
  readonly descriptors?: { readonly report: number; readonly control: number } | undefined;
}

/** The program that bubblewrap starts: the supervisor as the first process of the sandbox, which starts the command. */
export function supervisedInside({ argv, each, network, descriptors }: InsideCommand): readonly string[] {
  return [
    INSIDE,
    "init",
    ...(descriptors
      ? [...SPACES, "--report", String(descriptors.report), "--control", String(descriptors.control)]
      : []),
    ...["--filter", network ? "online" : "offline"],
    ...each.flatMap((limit) => ["--limit", limit]),
    "--",
    ...argv,
  ];
}

/** The same without a supervisor. Without `prlimit` the command has no per-process limits. */
export function limitedByPrlimit(
  prlimit: string | undefined,
  { argv, each }: Pick<InsideCommand, "argv" | "each">,
): readonly string[] {
  return prlimit === undefined ? argv : [prlimit, ...each.map((limit) => `--${limit}`), "--", ...argv];
}

export function supervisorMount(program: string): Mount {
  return readOnly(program, INSIDE);
}
