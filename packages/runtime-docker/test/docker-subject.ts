import { randomBytes } from "node:crypto";
import type { Disposing, RuntimeSubject } from "@skillwright/contracts";
import { SkillError } from "@skillwright/core";
import { type DockerRuntime, type DockerRuntimeOptions, dockerRuntime } from "../src/index.js";
import type { TestEngine } from "./engine-setup/engines.js";

export interface DockerSubject extends RuntimeSubject, Required<Disposing>, AsyncDisposable {
  readonly runtime: DockerRuntime;
  readonly other: DockerRuntime;
  readonly namespace: string;
}

/** Two runtimes in a separate namespace; all its workspaces are removed afterwards. */
export function dockerSubject(
  { host, image }: Pick<TestEngine, "host" | "image">,
  more: DockerRuntimeOptions = {},
): DockerSubject {
  const namespace = `test-${randomBytes(8).toString("hex")}`;
  const make = () => dockerRuntime({ engine: { host }, image, pull: "never", namespace, ...more });
  const [runtime, other] = [make(), make()];
  const dispose = async () => {
    // The first already knows its engine, while another one would first ask for the version, which is slow on Podman.
    if (!(await emptied(runtime))) {
      await using last = make();
      await emptied(last);
    }
    await Promise.all([runtime.close(), other.close()]);
  };
  return { runtime, other, namespace, dispose, [Symbol.asyncDispose]: dispose };
}

/** False when it was closed. */
async function emptied(runtime: DockerRuntime): Promise<boolean> {
  try {
    for (const id of await runtime.list()) await runtime.destroy(id);
    return true;
  } catch (error) {
    if (SkillError.is(error, "CLOSED")) return false;
    throw error;
  }
}
