import { SkillError } from "@skillwright/core";
import type { ToolResult } from "../host/run-tool.js";
import { SUPERVISOR_REMEDY } from "../supervisor/no-supervisor.js";

/** Why there is no sandbox, in the words used by `isolation.by` and error messages. */
export interface Unavailable {
  /** Continues "there is no sandbox: ". */
  readonly why: string;
  readonly remedy: string;
  /** True when a later attempt may succeed, so that the result must not be cached. */
  readonly transient: boolean;
}

export function notLinux(platform: string): Unavailable {
  const remedy = "Use a container runtime";
  return { why: `bubblewrap runs only on Linux, and this machine is ${platform}`, remedy, transient: false };
}

export function notInstalled(directories: readonly string[]): Unavailable {
  return {
    why: `bubblewrap (bwrap) was not found in ${directories.join(", ")} as a program that only root can change`,
    remedy:
      "Install it: `apt-get install bubblewrap` (Debian, Ubuntu), `dnf install bubblewrap` (Fedora), " +
      "`apk add bubblewrap` (Alpine)",
    transient: false,
  };
}

export function tooOld(answer: string): Unavailable {
  const why = `bubblewrap 0.5.0 or later is needed, and \`bwrap --version\` said ${JSON.stringify(answer.trim())}`;
  return { why, remedy: "Install a newer one", transient: false };
}

export function outOfReach(part: string, uid: number): Unavailable {
  return {
    why: `commands of a root host run as user ${uid}, and ${part}, a parent directory of the workspaces, is not accessible to that user`,
    remedy: `Give localRuntime a root below directories that every user can enter, or \`chmod o+x ${part}\``,
    transient: false,
  };
}

export function notSupervised(missing: string): Unavailable {
  const why = `the supervisor, which is the first process of each sandbox, does not run here: ${missing}`;
  return { why, remedy: SUPERVISOR_REMEDY, transient: false };
}

/** Interprets the failure of the no-op command. */
export function refused(result: ToolResult): Unavailable {
  const said = result.stderr.trim().split("\n").slice(-3).join(" ").slice(0, 500);
  if (isTransient(result)) {
    const why = `the machine was too busy to start bubblewrap (${result.timedOut ? "no answer in time" : said || result.code})`;
    return { why, remedy: "Try again", transient: true };
  }
  if (/namespace|uid map|gid map|Operation not permitted|No space left/i.test(said))
    return {
      why: `the kernel did not allow bubblewrap to create namespaces (${said})`,
      remedy: /No space left|ENOSPC/.test(said) ? MORE_NAMESPACES : NAMESPACES,
      transient: false,
    };
  const why = `bubblewrap could not start a trivial command (${said || (result.code ?? `exit ${result.exitCode}`)})`;
  return { why, remedy: "Run `bwrap --ro-bind / / true` as this user for details", transient: false };
}

/** The error for a caller that requested a sandbox. */
export function isolationUnavailable({ why, remedy, transient }: Unavailable): SkillError {
  const otherwise = transient
    ? "."
    : `, or pass isolation: "none" to run commands with all permissions of this user, or "auto" to do so only if there ` +
      "is no sandbox.";
  return new SkillError(
    "ISOLATION_UNAVAILABLE",
    `Commands cannot be isolated, so none will be run: ${why}. ${remedy}${otherwise}`,
    { details: { why, transient } },
  );
}

/** The remedy for "No space left", which the kernel reports only if the number of namespaces is limited. */
const MORE_NAMESPACES =
  "Allow more user namespaces: `sysctl -w user.max_user_namespaces=10000`, kept by the line `user.max_user_namespaces=10000` in a " +
  "file of /etc/sysctl.d";

const NAMESPACES =
  "Allow unprivileged user namespaces: `sysctl -w kernel.unprivileged_userns_clone=1` (older Debian), an AppArmor " +
  "profile for bwrap or `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu 24.04); in a container, a " +
  "seccomp profile that allows them";

function isTransient({ code, timedOut, stderr }: ToolResult): boolean {
  return (
    timedOut ||
    ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"].includes(code ?? "") ||
    /Resource temporarily unavailable|Cannot allocate memory|Too many open files/.test(stderr)
  );
}
