import { randomBytes } from "node:crypto";
import type { Disposing, RuntimeSubject } from "@skillwright/core/testing";
import { type DockerRuntime, type DockerRuntimeOptions, dockerRuntime } from "../src/index.js";
import type { TestEngine } from "./engine-setup/engines.js";

export interface DockerSubject extends RuntimeSubject, Required<Disposing>, AsyncDisposable {
  readonly runtime: DockerRuntime;
  readonly other: DockerRuntime;
  readonly namespace: string;
}

/** Two runtimes on a namespace of their own; all workspaces in it are removed afterwards. */
export function dockerSubject(
  { host, image }: Pick<TestEngine, "host" | "image">,
  more: DockerRuntimeOptions = {},
): DockerSubject {
  const namespace = `test-${randomBytes(8).toString("hex")}`;
  const make = () => dockerRuntime({ engine: { host }, image, pull: "never", namespace, ...more });
  const [runtime, other] = [make(), make()];
  const dispose = async () => {
    await Promise.all([runtime.close(), other.close()]);
    await using last = make();
    for (const id of await last.list()) await last.destroy(id);
  };
  return { runtime, other, namespace, dispose, [Symbol.asyncDispose]: dispose };
}
