import { containerName } from "../../src/container/container-labels.js";
import { connectEngine } from "../../src/engine/connect-engine.js";
import type { DockerSubject } from "../docker-subject.js";
import type { TestEngine } from "../engine-setup/engines.js";

/**
 * The command lines of all processes in the container of the workspace `w`, as the engine lists them: nothing attaches to
 * the workspace, and nothing runs in it.
 */
export async function listedCommands(
  { host }: TestEngine,
  { namespace }: Pick<DockerSubject, "namespace">,
): Promise<readonly string[]> {
  const engine = await connectEngine({ engine: { host }, callTimeoutMs: 180_000 });
  try {
    const container = engine.docker.getContainer(containerName(namespace, "w"));
    const list = await container.top({ ps_args: engine.isPodman ? "args" : "-eo pid,args" });
    const rows: readonly (readonly string[])[] = list.Processes;
    return rows.map((row) => row.at(-1) ?? "");
  } finally {
    engine.close();
  }
}
