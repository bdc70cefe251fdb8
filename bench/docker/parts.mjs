import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { root } from "../../scripts/bootstrap/root.mjs";
import { built } from "../built.mjs";

const [adapter, repositoryFs, repositoryMemory, runtimeDocker, skillbox, workspace] = await Promise.all(
  ["core/adapter", "repository-fs", "repository-memory", "runtime-docker", "skillbox", "workspace"].map(
    built,
  ),
);

export const { run } = adapter;
export const { environmentStore } = workspace;

const Dockerode = createRequire(`${root}/packages/runtime-docker/package.json`)("dockerode");

/** The engine's API without our packages. */
export function bareEngine({ host }) {
  const { protocol, pathname, hostname, port } = new URL(host);
  return new Dockerode(
    protocol === "unix:" ? { socketPath: pathname } : { protocol: "http", host: hostname, port },
  );
}

/** Workspaces in containers, with skills in memory. */
export function openWorkspaces({ host, image, directory, runtime: options = {} }, skills, more = {}) {
  const namespace = `bench-${randomBytes(4).toString("hex")}`;
  const runtime = runtimeDocker.dockerRuntime({
    engine: { host },
    image,
    pull: "never",
    namespace,
    ...options,
  });
  const repository = repositoryMemory.memoryRepository({ skills });
  const workspaces = workspace.workspaceManager({
    skills: skillbox.skillBox({ own: repository }),
    runtime,
    artifacts: repositoryFs.fsArtifacts({ root: `${directory}/artifacts` }),
    destroyOnClose: true,
    ...more,
  });
  const close = async () => {
    await workspaces.close();
    await runtime.close();
  };
  return { runtime, workspaces, namespace, close };
}

export const skillMarkdown = (name) =>
  `---\nname: ${name}\ndescription: Does what the benchmark asks for.\n---\n\n# ${name}\n`;

/** The container of the one workspace of a namespace. */
export async function containerOf(docker, namespace) {
  const all = await docker.listContainers({ all: true });
  const found = all.find(({ Names }) => Names.some((name) => name.includes(namespace)));
  if (!found) throw new Error("the workspace has no container");
  return docker.getContainer(found.Id);
}

/** Create, start, read to the end, inspect: the usual calls. */
export async function bareExec(container, command, more = {}) {
  const exec = await container.exec({
    Cmd: command,
    AttachStdout: true,
    AttachStderr: true,
    User: "1000:1000",
    ...more,
  });
  const stream = await exec.start({ hijack: true, stdin: false });
  await new Promise((resolve, reject) => {
    stream.resume().once("end", resolve).once("error", reject);
  });
  const { ExitCode } = await exec.inspect();
  if (ExitCode !== 0) throw new Error(`${command.join(" ")} ended with ${ExitCode}`);
}

/** A command with a random run id and default settings. */
export function plainCommand(command, more = {}) {
  const runId = `run-${randomBytes(8).toString("hex")}`;
  return { runId, command, cwd: ".", env: {}, timeoutMs: 20_000, maxOutputBytes: 64 * 1024, ...more };
}
