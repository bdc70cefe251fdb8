import { SkillError } from "@skillwright/core";
import { type KubernetesRuntimeOptions, kubernetesRuntime } from "../src/index.js";
import type { TestNamespace } from "./cluster-setup/cluster.js";

/** The error of a workspace that cannot be created with these options. */
export async function failedCreation(
  { options }: TestNamespace,
  more: Partial<KubernetesRuntimeOptions>,
): Promise<SkillError> {
  await using runtime = kubernetesRuntime({ ...options, ...more });
  const error = await runtime.create("w1").then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!SkillError.is(error)) throw error ?? new Error("It was created.");
  return error;
}

/** The names of all objects of this kind in the namespace, such as `pods`, a line each. */
export function namesOf({ kubectl, name }: TestNamespace, kind: string): string {
  return kubectl(["-n", name, "get", kind, "-o", "name"]);
}
