import type { Isolation } from "@skillwright/core";
import type { RuntimeCapabilities } from "@skillwright/core/adapter";
import type { Pod } from "../pod/pod.js";
import { ANNOTATIONS } from "../pod/pod-names.js";
import { NO_BASH } from "./measure.js";

/** The part of the capabilities that starting a run needs. */
export type RunCapabilities = Pick<RuntimeCapabilities, "isolation" | "networkOff" | "diagnostics">;

/** What counts for a pod in whose RuntimeClass this process has not measured: the least that every pod has. */
export const NOT_MEASURED: RunCapabilities = {
  isolation: { level: "container", by: "Kubernetes" },
  networkOff: false,
};

interface Recorded {
  readonly version: 1;
  readonly isolation: Isolation;
  readonly networkOff: boolean;
  /** Only those about the shell of the image. */
  readonly diagnostics: NonNullable<RuntimeCapabilities["diagnostics"]>;
}

const LEVELS: readonly string[] = ["container", "gvisor"];

/** What a process writes on the pods of its workspaces, so that others need not measure before they run commands in them. */
export function measuredRecord({ isolation, networkOff, diagnostics = [] }: RuntimeCapabilities) {
  const ofShell = diagnostics.filter(({ code }) => code === NO_BASH);
  const recorded: Recorded = { version: 1, isolation, networkOff, diagnostics: ofShell };
  return { [ANNOTATIONS.measured]: JSON.stringify(recorded) };
}

/** `undefined` where the pod has no record of this version: then it is measured. No command can write it. */
export function measuredOn({ metadata: { annotations } }: Pod): RunCapabilities | undefined {
  try {
    const found = JSON.parse(annotations?.[ANNOTATIONS.measured] ?? "{}") as Partial<Recorded>;
    const { version, isolation, networkOff, diagnostics } = found;
    const isFit = version === 1 && typeof networkOff === "boolean" && Array.isArray(diagnostics);
    return isFit && isolation && LEVELS.includes(isolation.level)
      ? { isolation, networkOff, diagnostics }
      : undefined;
  } catch {
    return undefined;
  }
}
