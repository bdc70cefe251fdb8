import type { Diagnostic, Isolation } from "@skillwright/core";
import type { RuntimeCapabilities } from "@skillwright/core/adapter";
import type { PolicyEffect } from "../network/policy-effect.js";
import { ROOT } from "../pod/pod-names.js";
import { RUN_LIMITS } from "../run/run-plan.js";

/** Prints lines of `name value` about the pod in which it runs; it uses builtins only. */
export const MEASURING = `
while read -r key value rest; do
  case $key in
  Uid:|CapEff:|CapBnd:|NoNewPrivs:) echo "$key $value" ;;
  esac
done < /proc/self/status
( : > /etc/skillwright-probe ) 2>/dev/null && echo "root written"
( : > ${ROOT}/probe ) 2>/dev/null && echo "root written"
( : > ${ROOT}/skills/probe ) 2>/dev/null && echo "skills written"
while read -r name rest; do
  case $name in
  Inter-*|face*) ;;
  *) echo "interface \${name%%:*}" ;;
  esac
done < /proc/net/dev
read -r version < /proc/version && echo "version $version"
[ -n "$BASH_VERSION" ] && echo "bash there"
[ -d /var/run/secrets/kubernetes.io ] && echo "token there"
IFS=:
for directory in $PATH; do
  for program in "$directory"/*; do
    [ -f "$program" ] && [ -x "$program" ] && echo "program \${program##*/}"
  done
done
true
`;

/** The diagnostic of an image whose commands `sh` runs; every run has it. */
export const NO_BASH = "shell.no-bash";

/** Whether pods have more than a loopback interface, as far as the measuring found. */
export function hasNetwork(text: string): boolean {
  const names = [...text.matchAll(/^interface (.+)$/gm)].map(([, name]) => name);
  return names.length === 0 || names.some((name) => name !== "lo");
}

/** What the measuring found, in a pod in which no command had run. */
export function capabilitiesOf(
  text: string,
  { className, policy }: { readonly className: string | undefined; readonly policy: PolicyEffect },
): RuntimeCapabilities {
  const told = text.split("\n").map((line) => line.split(" "));
  const value = (name: string) => told.find(([first]) => first === name)?.[1];
  const says = (name: string) => told.some(([first]) => first === name);
  const network = hasNetwork(text);
  const isUnprivileged =
    value("Uid:") !== "0" && /^0+$/.test(value("CapEff:") ?? "") && value("NoNewPrivs:") === "1";
  const isGvisor = /^version .*gvisor/im.test(text);
  const programs = [...text.matchAll(/^program (.+)$/gm)].map(([, name = ""]) => name);
  const isolation: Isolation = {
    level: isGvisor ? "gvisor" : "container",
    by: `Kubernetes${isGvisor ? ", gVisor" : ""}${className ? `, ${className}` : ""}`,
  };
  return {
    isolation,
    limits: RUN_LIMITS,
    networkOff: !network || policy.state === "enforced",
    endsTree: isUnprivileged,
    readOnlySkills: !says("skills"),
    programs: [...new Set(programs)].sort(),
    diagnostics: weaknesses({
      ...(network && { policy }),
      isUnprivileged,
      isWritten: says("root"),
      hasToken: says("token"),
      hasBash: says("bash"),
    }),
  };
}

function weaknesses(found: {
  policy?: PolicyEffect;
  isUnprivileged: boolean;
  isWritten: boolean;
  hasToken: boolean;
  hasBash: boolean;
}): readonly Diagnostic[] {
  const all: (Diagnostic | false)[] = [
    found.policy?.state === "enforced" && {
      code: "network.policy",
      severity: "info",
      message: `The network is off by a NetworkPolicy, which the cluster enforces: ${found.policy.because}.`,
      hint: "Workspaces that are created with the network have it.",
    },
    found.policy !== undefined &&
      found.policy.state !== "enforced" && {
        code: "network.not-off",
        severity: "warning",
        message: `Commands can use the network of their pods: the NetworkPolicy is ${found.policy.state === "unknown" ? "perhaps not enforced" : "not enforced"}, since ${found.policy.because}.`,
        hint: "Use a RuntimeClass without a network, or a cluster that enforces policies, with measureNetwork.",
      },
    !found.isUnprivileged && {
      code: "isolation.privileged",
      severity: "warning",
      message: "Commands have rights in their pod with which they could reach the supervisor.",
      hint: "Use a node whose runtime takes all capabilities away and sets no_new_privs.",
    },
    found.isWritten && {
      code: "isolation.system-writable",
      severity: "warning",
      message: "Commands can change the system of their pod.",
      hint: "Use a node whose runtime makes the root file system read-only.",
    },
    !found.hasBash && {
      code: NO_BASH,
      severity: "warning",
      message: "The image has no bash, so sh runs the commands.",
      hint: "Use an image with bash, or write commands for the POSIX shell.",
    },
    found.hasToken && {
      code: "isolation.token",
      severity: "warning",
      message: "A token of the cluster is mounted in the pods, where commands can read it.",
      hint: "Remove the admission webhook that adds it.",
    },
  ];
  return all.filter((each) => each !== false);
}
