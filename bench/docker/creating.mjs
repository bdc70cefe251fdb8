import { execFile } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { alternate } from "../workspace/alternate.mjs";
import { bareEngine, openWorkspaces } from "./parts.mjs";

/** The time from nothing to the first output, compared with `docker run`; and where a container waits. */
export default async function creating(place) {
  const house = openWorkspaces(place, {});
  const warm = openWorkspaces({ ...place, runtime: { warmContainers: 1 } }, {});
  try {
    await warm.workspaces.destroy((await warm.workspaces.create()).id);

    const cli = ["-H", place.host, "run", "--rm", "--network", "none", place.image, "echo", "here"];
    const times = await alternate(
      {
        "the `docker run` command": () => promisify(execFile)("docker", cli),
        "workspaceManager: create, to the first output": () => firstOutput(house),
        "the same with a container that waits": async () => {
          await waitingContainer(place, warm.namespace);
          return await firstOutput(warm);
        },
      },
      { warmUp: 2, rounds: 12 },
    );
    const [cliName, ours, waiting] = Object.keys(times);
    return {
      times,
      ratios: [
        { what: "create to first output against `docker run`", of: ours, to: cliName, must: 1.3, aim: 1.2 },
        { what: "the same with a container that waits", of: waiting, to: cliName, must: 0.2 },
      ],
    };
  } finally {
    await house.close();
    await warm.close();
  }
}

async function firstOutput({ workspaces }) {
  const started = performance.now();
  let first = 0;
  const { id } = await workspaces.create();
  const onEvent = ({ type }) => {
    if (type === "run.output") first ||= performance.now() - started;
  };
  const { stdout } = await workspaces.run(id, { command: "echo here" }, { onEvent });
  if (stdout.text !== "here\n" || first === 0) throw new Error("it said nothing");
  await workspaces.destroy(id);
  return first;
}

/** Waits until the runtime has made one and has connected to it. */
async function waitingContainer(place, namespace) {
  const docker = bareEngine(place);
  for (;;) {
    const [found] = await docker.listContainers({ filters: { name: [`skillwright.${namespace}.waiting.`] } });
    const { ExecIDs } = found
      ? await docker
          .getContainer(found.Id)
          .inspect()
          .catch(() => ({}))
      : {};
    if (ExecIDs?.length > 0) return await setTimeout(200);
    await setTimeout(50);
  }
}
