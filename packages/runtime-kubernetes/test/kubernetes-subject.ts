import type { Disposing, RuntimeSubject } from "@skillwright/contracts";
import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { type KubernetesRuntimeOptions, kubernetesRuntime } from "../src/index.js";
import type { TestNamespace, TestNamespaces } from "./cluster-setup/cluster.js";

/** A runtime in the namespace. */
export function runtimeIn(
  { options }: TestNamespace,
  more: Partial<KubernetesRuntimeOptions> = {},
): WorkspaceRuntime {
  return kubernetesRuntime({ ...options, ...more });
}

/** Two runtimes in the namespace; all its workspaces are removed afterwards. */
export function kubernetesSubject(
  namespace: TestNamespace,
  more: Partial<KubernetesRuntimeOptions> = {},
): RuntimeSubject & Required<Disposing> {
  const make = () => runtimeIn(namespace, more);
  const [runtime, other] = [make(), make()];
  return {
    runtime,
    other,
    dispose: async () => {
      if (!(await emptied(runtime))) {
        await using last = make();
        await emptied(last);
      }
      await Promise.all([runtime.close(), other.close()]);
    },
  };
}

/** In a namespace of its own for as long as the subject is used. */
export function concurrentSubject(
  namespaces: TestNamespaces,
  more: Partial<KubernetesRuntimeOptions> = {},
): RuntimeSubject & Required<Disposing> {
  const namespace = namespaces.take();
  const subject = kubernetesSubject(namespace, more);
  return {
    ...subject,
    dispose: async () => {
      await subject.dispose();
      namespaces.giveBack(namespace);
    },
  };
}

/** False when it was closed. */
async function emptied(runtime: WorkspaceRuntime): Promise<boolean> {
  try {
    for (const id of await runtime.list()) await runtime.destroy(id);
    return true;
  } catch (error) {
    if (SkillError.is(error, "CLOSED")) return false;
    throw error;
  }
}
