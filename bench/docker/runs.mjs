import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { alternate } from "../workspace/alternate.mjs";
import {
  bareEngine,
  bareExec,
  containerOf,
  openWorkspaces,
  plainCommand,
  run,
  skillMarkdown,
} from "./parts.mjs";

const bareSandbox = [
  ...["/usr", "/bin", "/lib", "/lib64"].flatMap((path) => ["--ro-bind-try", path, path]),
  ...["--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent", "/bin/true"],
];

/** Runs `true` in a warm workspace, compared with the API, the `docker` command, and bubblewrap alone on this machine. */
export default async function runs(place) {
  const house = openWorkspaces(place, { small: { "SKILL.md": skillMarkdown("small") } });
  try {
    const { id } = await house.workspaces.create();
    const wanted = { skill: "small", command: "true" };
    await house.workspaces.run(id, wanted);
    const container = await containerOf(bareEngine(place), house.namespace);
    const attached = await house.runtime.attach(id);
    const cli = ["-H", place.host, "exec", "-u", "1000", container.id, "true"];
    const times = await alternate(
      {
        "exec of `true` through the API": () => bareExec(container, ["true"]),
        "the `docker exec` command": () => promisify(execFile)("docker", cli),
        "bubblewrap on this machine, spawned bare": () => promisify(execFile)("bwrap", bareSandbox),
        "dockerRuntime: run of `true`": () => run(attached, plainCommand("true")),
        "workspaceManager: run of `true`": () => house.workspaces.run(id, wanted),
      },
      { warmUp: 5, rounds: 40 },
    );
    const [api, cliName, bare, direct, managed] = Object.keys(times);
    const ratios = [
      { what: "a run of `true` against the `docker exec` command", of: managed, to: cliName, must: 0.2 },
      { what: "a run of `true` against a bare exec", of: managed, to: api, must: 0.5 },
      { what: "a run of `true` against bare bubblewrap", of: direct, to: bare, must: 2 },
    ];
    return { times, ratios };
  } finally {
    await house.close();
  }
}
