import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { built } from "../built.mjs";

/** The packages from the build, as a user has them. */
const [core, adapter, records, repositoryFs, runtimeLocal, skillbox, workspace] = await Promise.all(
  ["core", "core/adapter", "records", "repository-fs", "runtime-local", "skillbox", "workspace"].map(built),
);

export { core, workspace };
export const { run } = adapter;

/** A new directory that commands of another user can traverse. */
export function temporaryDirectory() {
  const directory = mkdtempSync(`${tmpdir()}/skillwright-bench-`);
  chmodSync(directory, 0o755);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/**
 * Everything that workspaces need, below one directory: skills (by default in `skills`, watched with at most `handles`), content, artifacts,
 * workspaces, and with `registry` their shared registry.
 *
 * @param {string} directory
 * @param {{ isolation?: string, content?: boolean, registry?: boolean, skills?: string, handles?: number } & Record<string, any>} [options]
 */
export function openHouse(
  directory,
  { isolation = "sandbox", content = true, registry = false, skills: skillsRoot, handles, ...options } = {},
) {
  const below = (name) => `${directory}/${name}`;
  const root = skillsRoot ?? below("skills");
  mkdirSync(root, { recursive: true });
  const runtime = runtimeLocal.localRuntime({ root: below("workspaces"), isolation });
  const artifacts = repositoryFs.fsArtifacts({ root: below("artifacts") });
  const store = repositoryFs.fsContentStore({ root: below("content") });
  const repository = repositoryFs.fsRepository({ root, watch: { handles } });
  const skills = skillbox.skillBox({ own: repository });
  const workspaces = workspace.workspaceManager({
    skills,
    runtime,
    artifacts,
    ...(content ? { content: store } : {}),
    ...(registry
      ? { registry: records.recordRegistry(repositoryFs.fsRecords({ root: below("registry") })) }
      : {}),
    ...options,
  });
  const close = async () => {
    await workspaces.close();
    await runtime.close();
  };
  return { runtime, repository, artifacts, content: store, skills, workspaces, close };
}

/** One command for a runtime, without the layer of workspaces above. */
export function plainCommand(command) {
  const runId = randomBytes(8).toString("hex");
  return { runId, command, cwd: ".", env: {}, timeoutMs: 20_000, maxOutputBytes: 64 * 1024 };
}
