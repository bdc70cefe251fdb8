import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { alternate } from "../workspace/alternate.mjs";
import { openWorkspaces } from "./parts.mjs";

/** The time from nothing to the first output, compared with `docker run`. */
export default async function creating(place) {
  const house = openWorkspaces(place, {});
  try {
    const cli = ["-H", place.host, "run", "--rm", "--network", "none", place.image, "echo", "here"];
    const times = await alternate(
      {
        "the `docker run` command": () => promisify(execFile)("docker", cli),
        "workspaceManager: create, to the first output": async () => {
          const started = performance.now();
          let first = 0;
          const { id } = await house.workspaces.create();
          const onEvent = ({ type }) => {
            if (type === "run.output") first ||= performance.now() - started;
          };
          const { stdout } = await house.workspaces.run(id, { command: "echo here" }, { onEvent });
          if (stdout.text !== "here\n" || first === 0) throw new Error("it said nothing");
          await house.workspaces.destroy(id);
          return first;
        },
      },
      { warmUp: 2, rounds: 12 },
    );
    const [cliName, ours] = Object.keys(times);
    return {
      times,
      ratios: [
        { what: "create to first output against `docker run`", of: ours, to: cliName, must: 1.3, aim: 1.2 },
      ],
    };
  } finally {
    await house.close();
  }
}
