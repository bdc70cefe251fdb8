import { TOOL_ENVIRONMENT } from "../host/run-tool.js";
import { bubblewrapArguments } from "../isolation/bubblewrap-arguments.js";
import type { Sandbox } from "../isolation/sandbox.js";
import type { ControlGroup } from "../limits/control-groups.js";
import { supervisedInside } from "../supervisor/inside-command.js";
import type { LaunchRequest } from "./launch-request.js";

export const REPORT_DESCRIPTOR = 3;
/** The descriptor of the child from which it reads bytes intended for it alone. */
export const CHILD_OPTIONS_DESCRIPTOR = 5;
const INSIDE_CONTROL_DESCRIPTOR = 6;

/** What a supervisor is told in order to start a command. */
export interface SupervisedCommand {
  /** Options of `supervisor run`, in addition to those of every run. */
  readonly options: readonly string[];
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: boolean;
  readonly timeoutMs: number;
  /** Bytes for the child to read from its descriptor. */
  readonly childOptions?: Uint8Array | undefined;
}

/** In a sandbox, the supervisor outside starts a second supervisor, which is the first process inside. */
export function supervisedCommand(
  request: LaunchRequest,
  sandbox: Sandbox | undefined,
  group: ControlGroup | undefined,
): SupervisedCommand {
  if (!sandbox) return plainCommand(request);
  const { argv, cwd, env, input, network, timeoutMs, limits } = request;
  const mounts = [...sandbox.mounts({ network }), ...request.mounts];
  const descriptors = { report: REPORT_DESCRIPTOR, control: INSIDE_CONTROL_DESCRIPTOR };
  const inside = supervisedInside({ argv, each: limits.each, network, descriptors });
  return {
    options: outsideOptions(sandbox, group),
    argv: [sandbox.program, "--args", String(CHILD_OPTIONS_DESCRIPTOR), "--", ...inside],
    cwd: "/",
    env: TOOL_ENVIRONMENT,
    input,
    timeoutMs,
    childOptions: bubblewrapArguments(sandbox.version, { mounts, cwd, env, network }),
  };
}

function outsideOptions({ credentials }: Sandbox, group: ControlGroup | undefined): readonly string[] {
  const user = credentials ? ["--user", String(credentials.uid), "--group", String(credentials.gid)] : [];
  return [
    ...["--child-control", String(INSIDE_CONTROL_DESCRIPTOR)],
    ...["--keep", String(REPORT_DESCRIPTOR), "--keep", String(CHILD_OPTIONS_DESCRIPTOR)],
    ...user,
    ...(group?.joins ?? []).flatMap((file) => ["--tasks", file]),
  ];
}

/** The command has all rights of this user, in a session of its own. */
function plainCommand({ argv, cwd, env, input, timeoutMs, limits }: LaunchRequest): SupervisedCommand {
  const options = ["--session", ...limits.each.flatMap((limit) => ["--limit", limit])];
  return { options, argv, cwd, env, input, timeoutMs };
}
