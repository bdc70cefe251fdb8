import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type ByteSource,
  type CallOptions,
  type RunLimits,
  type RuntimeWorkspace,
  SkillError,
  type SkillReader,
  type WorkspaceRuntime,
} from "@skillwright/core";
import {
  checkAborted,
  type FileEntry,
  type RequestedFile,
  run,
  verifiedContent,
  withSpan,
} from "@skillwright/core/adapter";
import { runEnvironment } from "../run/run-environment.js";
import { newRunId } from "../run/run-id.js";
import { environmentCommands, PREPARATION } from "./environment-commands.js";
import type { EnvironmentKind, EnvironmentNeed } from "./environment-need.js";
import type { EnvironmentStore, StoredEnvironment } from "./environment-store.js";
import type { InstallerSettings } from "./installer-host.js";
import { installerFailed, noNetwork, otherInterpreter } from "./preparation-errors.js";
import { preparationId } from "./preparation-id.js";
import { comparableName } from "./python-requirement.js";

const TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 64 * 1024;

export interface Preparation extends CallOptions {
  /** Name of the skill that needs it. */
  readonly skill: string;
  readonly need: EnvironmentNeed;
  readonly key: string;
  /** The workspace that needs it, and what its interpreter is. */
  readonly workspace: RuntimeWorkspace;
  readonly interpreter: string;
  /** Returns the interpreter of any workspace of the runtime. */
  readonly identityOf: (
    kind: EnvironmentKind,
    workspace: RuntimeWorkspace,
    options: CallOptions,
  ) => Promise<string>;
  readonly settings: InstallerSettings;
  /** Reads files of the skill. */
  readonly open: SkillReader;
  readonly runtime: WorkspaceRuntime;
  readonly store: EnvironmentStore;
  readonly limits: RunLimits | undefined;
}

/**
 * Installs the packages in a workspace of its own, which holds no file of the skill except its checked lockfile and
 * wheels, and stores the result. Call it alone for the key: what a killed call left is removed first.
 * @throws SkillError `BACKEND_FAILED` with the installer's last lines, also for a package that does not match its hash;
 * `ABORTED`; `UNSUPPORTED` where the runtime gives no network; `CONFLICT` where a new workspace has another interpreter;
 * as `EnvironmentStore.add`.
 */
export async function prepareEnvironment(preparation: Preparation): Promise<StoredEnvironment> {
  const { runtime, store, need, settings, key, skill, signal } = preparation;
  const id = preparationId(key);
  const { kind, declaredIn, packages, digest, wheels } = need;
  const network = wheels.length === 0 && !settings.offline;
  const refused = (error: unknown) => {
    throw network && SkillError.is(error, "UNSUPPORTED") ? noNetwork(preparation, error) : error;
  };
  const facts = { kind, skill, declaredIn, packages, digest };
  return await withSpan("workspace.environment", { kind, skill, packages: packages.length }, async () => {
    await runtime.destroy(id);
    const workspace = await runtime.create(id, { signal, network }).catch(refused);
    try {
      await checkInterpreter(workspace, preparation);
      await workspace.put(preparationFiles(preparation), { signal });
      const { install, finish } = environmentCommands(kind, { offline: !network });
      await step(workspace, install, { ...preparation, network }).catch(refused);
      await step(workspace, finish, { ...preparation, network: false });
      return await store.add(key, facts, treeFiles(workspace, preparation));
    } finally {
      await runtime.destroy(id);
    }
  });
}

/** A workspace may be older than the image that the runtime creates workspaces of now. */
async function checkInterpreter(fresh: RuntimeWorkspace, preparation: Preparation): Promise<void> {
  const { need, workspace, interpreter, identityOf, signal } = preparation;
  if (fresh.system === workspace.system) return;
  if ((await identityOf(need.kind, fresh, { signal })) !== interpreter) throw otherInterpreter(preparation);
}

async function* preparationFiles({ need, settings, open }: Preparation): AsyncIterable<FileEntry> {
  const entry = (name: string, content: ByteSource) => ({ path: `${PREPARATION.files}/${name}`, content });
  for (const [name, content] of Object.entries({ ...settings.files, ...need.files }))
    yield entry(name, content);
  for (const wheel of need.wheels)
    yield entry(`wheels/${basename(wheel.path)}`, verifiedContent(wheel, await open(wheel.path)));
  if (need.wheels.length > 0) return;
  const wanted = new Set(need.packages.map(({ name, version }) => `${comparableName(name)}-${version}`));
  for (const folder of settings.wheelFolders) {
    // pip, too, goes on without a folder of `find-links` that it cannot read, and reports a package that is in none of them.
    const files = await readdir(folder).catch(() => []);
    for (const file of files) {
      const [name = "", version = ""] = file.split("-");
      if (file.endsWith(".whl") && wanted.has(`${comparableName(name)}-${version}`))
        yield entry(`wheels/${file}`, createReadStream(join(folder, file)));
    }
  }
}

async function step(
  workspace: RuntimeWorkspace,
  command: string,
  { skill, need, settings, limits, network, signal }: Preparation & { network: boolean },
): Promise<void> {
  const runId = newRunId(Date.now());
  // The usual place for temporary files may be too small for what is unpacked.
  const temporary = `mkdir -p ${PREPARATION.temporary} && export TMPDIR="$PWD/${PREPARATION.temporary}"`;
  const env = runEnvironment(
    { root: workspace.root, runId, skill: undefined },
    network ? settings.variables : {},
  );
  const bounds = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES, limits };
  // Where the network cannot be turned off, the application chose that isolation.
  const result = await run(
    workspace,
    { runId, command: `${temporary}\n${command}`, cwd: ".", env, ...bounds, ...(network ? { network } : {}) },
    { signal },
  );
  checkAborted(signal);
  if (result.exitCode !== 0) throw installerFailed({ skill, need, settings }, result);
}

/** Regular files only: the installer's commands leave nothing else. */
async function* treeFiles(workspace: RuntimeWorkspace, { signal }: Preparation): AsyncIterable<FileEntry> {
  const found = await workspace.list(PREPARATION.tree, { signal });
  const files = new Map(found.filter(({ kind }) => kind === "file").map((file) => [file.path, file]));
  for await (const file of contents(workspace, [...files.keys()], { signal })) {
    if ("error" in file) throw file.error;
    const { executable = false } = files.get(file.path) ?? {};
    yield { path: file.path.slice(PREPARATION.tree.length + 1), executable, content: file.content };
  }
}

async function* contents(
  workspace: RuntimeWorkspace,
  paths: readonly string[],
  options: CallOptions,
): AsyncIterable<RequestedFile> {
  if (workspace.getMany) return yield* workspace.getMany(paths, options);
  for (const path of paths) yield { path, content: await workspace.get(path, options) };
}
