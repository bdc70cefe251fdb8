import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type ByteSource,
  type CallOptions,
  type RunLimits,
  type RunResult,
  type RuntimeWorkspace,
  SkillError,
  type SkillReader,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { checkAborted, type FileEntry, run, verifiedContent, withSpan } from "@skillwright/core/adapter";
import { runEnvironment } from "../run/run-environment.js";
import { newRunId } from "../run/run-id.js";
import { environmentCommands, PREPARATION } from "./environment-commands.js";
import type { EnvironmentNeed } from "./environment-need.js";
import type { EnvironmentStore, StoredEnvironment } from "./environment-store.js";
import type { InstallerSettings } from "./installer-host.js";

const TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 2_000;

export interface Preparation extends CallOptions {
  /** Name of the skill that needs it. */
  readonly skill: string;
  readonly need: EnvironmentNeed;
  readonly key: string;
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
 * `ABORTED`; `UNSUPPORTED` where commands cannot have the network; as `EnvironmentStore.add`.
 */
export async function prepareEnvironment(preparation: Preparation): Promise<StoredEnvironment> {
  const { runtime, store, need, key, skill, signal } = preparation;
  const id = `environment-${key.slice(0, 24)}`;
  const { kind, declaredIn, packages, digest } = need;
  const facts = { kind, skill, declaredIn, packages, digest };
  return await withSpan("workspace.environment", { kind, skill, packages: packages.length }, async () => {
    await runtime.destroy(id);
    const workspace = await runtime.create(id, { signal });
    try {
      await workspace.put(preparationFiles(preparation), { signal });
      const { install, finish } = environmentCommands(kind, { offline: isOffline(preparation) });
      await step(workspace, install, { ...preparation, network: !isOffline(preparation) });
      await step(workspace, finish, { ...preparation, network: false });
      return await store.add(key, facts, treeFiles(workspace, preparation));
    } finally {
      await runtime.destroy(id);
    }
  });
}

function isOffline({ need, settings }: Pick<Preparation, "need" | "settings">): boolean {
  return need.wheels.length > 0 || settings.offline;
}

async function* preparationFiles({ need, settings, open }: Preparation): AsyncIterable<FileEntry> {
  const entry = (name: string, content: ByteSource) => ({ path: `${PREPARATION.files}/${name}`, content });
  for (const [name, content] of Object.entries({ ...settings.files, ...need.files }))
    yield entry(name, content);
  for (const wheel of need.wheels)
    yield entry(`wheels/${basename(wheel.path)}`, verifiedContent(wheel, await open(wheel.path)));
  if (need.wheels.length > 0) return;
  const wanted = new Set(need.packages.map(({ name, version }) => `${comparable(name)}-${version}`));
  for (const folder of settings.wheelFolders)
    for (const file of await readdir(folder).catch(() => [])) {
      const [name = "", version = ""] = file.split("-");
      if (file.endsWith(".whl") && wanted.has(`${comparable(name)}-${version}`))
        yield entry(`wheels/${file}`, createReadStream(join(folder, file)));
    }
}

/** Names of Python packages are equal in this form. */
function comparable(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

async function step(
  workspace: RuntimeWorkspace,
  command: string,
  { skill, need, settings, limits, network, signal }: Preparation & { network: boolean },
): Promise<void> {
  const runId = newRunId(Date.now());
  const env = runEnvironment(
    { root: workspace.root, runId, skill: undefined },
    network ? settings.variables : {},
  );
  const bounds = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES, limits };
  // Where the network cannot be turned off, the application chose that isolation.
  const result = await run(
    workspace,
    { runId, command, cwd: ".", env, ...bounds, ...(network ? { network } : {}) },
    { signal },
  );
  checkAborted(signal);
  if (result.exitCode !== 0) throw failed(skill, need, result);
}

function failed(skill: string, { declaredIn }: EnvironmentNeed, result: RunResult): SkillError {
  const { exitCode, timedOut, stdout, stderr } = result;
  const how = timedOut ? "exceeded its timeout" : `ended with exit code ${exitCode}`;
  const said = `${stdout.text}\n${stderr.text}`
    .trim()
    .split("\n")
    .slice(-SHOWN_LINES)
    .join("\n")
    .slice(-SHOWN_CHARACTERS);
  return new SkillError(
    "BACKEND_FAILED",
    `The packages in ${declaredIn} of the skill "${skill}" could not be installed, so nothing ran: the installer ${how}. ` +
      `Correct the file, or the configuration of the package index on this machine; the next run tries again. Its last output:\n${said}`,
    { details: { skill, path: declaredIn, exitCode, timedOut } },
  );
}

/** Regular files only: the installer's commands leave nothing else. */
async function* treeFiles(workspace: RuntimeWorkspace, { signal }: Preparation): AsyncIterable<FileEntry> {
  for (const { path, kind, executable = false } of await workspace.list(PREPARATION.tree, { signal })) {
    if (kind !== "file") continue;
    const content = await workspace.get(path, { signal });
    yield { path: path.slice(PREPARATION.tree.length + 1), executable, content };
  }
}
