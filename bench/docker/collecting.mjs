import { alternate } from "../workspace/alternate.mjs";
import { bareEngine, containerOf, openWorkspaces, plainCommand, run } from "./parts.mjs";

const MAKE =
  "mkdir -p out/many; for i in $(seq 100); do head -c 20000 /dev/zero | tr '\\0' x > out/many/file-$i.txt; done";

/** Collects 100 files of 20 kB from a workspace, compared with the engine's archive of their directory. */
export default async function collecting(place) {
  const house = openWorkspaces(place, {});
  try {
    const { id } = await house.workspaces.create();
    const workspace = await house.runtime.attach(id);
    const { exitCode } = await run(workspace, plainCommand(MAKE));
    if (exitCode !== 0) throw new Error("the files were not made");
    const container = await containerOf(bareEngine(place), house.namespace);
    const times = await alternate(
      {
        "getArchive of a directory with 100 files of 20 kB": async () => {
          const stream = await container.getArchive({ path: "/skillwright/workspace/out/many" });
          for await (const _ of stream);
        },
        "dockerRuntime: list and read them": async () => {
          const files = (await workspace.list("out")).filter(({ kind }) => kind === "file");
          let count = 0;
          for await (const { content } of workspace.getMany(files.map(({ path }) => path))) {
            for await (const _ of content);
            count++;
          }
          if (count !== 100) throw new Error(`${count} files came`);
        },
      },
      { warmUp: 2, rounds: 20 },
    );
    const [bare, ours] = Object.keys(times);
    return {
      times,
      ratios: [
        { what: "collecting 100 files against one bare getArchive", of: ours, to: bare, must: 2.5, aim: 2 },
      ],
    };
  } finally {
    await house.close();
  }
}
