import { SkillError } from "@skillwright/core";
import type { RunEnd } from "@skillwright/supervisor";
import { childOf } from "../host/process-identity.js";
import { TOOL_ENVIRONMENT } from "../host/run-tool.js";
import { bubblewrapArguments } from "../isolation/bubblewrap-arguments.js";
import type { Sandbox } from "../isolation/sandbox.js";
import type { ControlGroup, ControlGroups } from "../limits/control-groups.js";
import { supervisedInside } from "../supervisor/inside-command.js";
import type { Launch, LaunchRequest } from "./launch.js";
import {
  CHILD_OPTIONS_DESCRIPTOR,
  launchSupervised,
  REPORT_DESCRIPTOR,
  type ServedMeans,
  type SupervisedCommand,
} from "./launch-supervised.js";

const INSIDE_CONTROL_DESCRIPTOR = 6;

export interface SandboxedLaunchMeans extends ServedMeans {
  readonly sandbox: Sandbox;
  readonly groups: ControlGroups | undefined;
}

/** Starts a command in its own namespaces, with one supervisor outside and another as the first process inside. */
export async function launchSandboxed(
  request: LaunchRequest,
  { sandbox, groups, ...means }: SandboxedLaunchMeans,
): Promise<Launch> {
  const group = groupOf(request, groups);
  try {
    const { report, ...launch } = await launchSupervised(
      sandboxedCommand(request, { sandbox, group }),
      means,
    );
    const bubblewrap = () => report().child;
    return { ...launch, inside: async () => childOf(bubblewrap()), ended: withGroup(launch.ended, group) };
  } catch (error) {
    await group?.remove();
    throw SkillError.from(error, "Starting the command in its sandbox");
  }
}

/** The control group of the run, if it needs one. */
export function groupOf(
  { limits }: Pick<LaunchRequest, "limits">,
  groups: ControlGroups | undefined,
): ControlGroup | undefined {
  return Object.keys(limits.group).length > 0 ? groups?.open(limits.group) : undefined;
}

/** What the supervisor outside is told in order to start the other one inside. */
export function sandboxedCommand(
  { argv, cwd, env, input, network, timeoutMs, limits, mounts: own }: LaunchRequest,
  { sandbox, group }: Pick<SandboxedLaunchMeans, "sandbox"> & { readonly group: ControlGroup | undefined },
): SupervisedCommand {
  const mounts = [...sandbox.mounts({ network }), ...own];
  const descriptors = { report: REPORT_DESCRIPTOR, control: INSIDE_CONTROL_DESCRIPTOR };
  const inside = supervisedInside({ argv, each: limits.each, network, descriptors });
  return {
    options: outsideOptions(sandbox, group),
    argv: [sandbox.program, "--args", String(CHILD_OPTIONS_DESCRIPTOR), "--", ...inside],
    cwd: "/",
    env: TOOL_ENVIRONMENT,
    input,
    timeoutMs,
    childOptions: bubblewrapArguments(sandbox.version, { mounts, cwd, env, network, supervised: true }),
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

async function withGroup(ended: Promise<RunEnd>, group: ControlGroup | undefined): Promise<RunEnd> {
  const end = await ended;
  const diagnostics = [...(group?.diagnostics() ?? []), ...end.diagnostics];
  await group?.remove();
  return { ...end, diagnostics };
}
