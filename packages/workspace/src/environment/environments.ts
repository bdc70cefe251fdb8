import { createHash } from "node:crypto";
import {
  type CallOptions,
  type Diagnostic,
  type RunLimits,
  type RuntimeWorkspace,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
  type SkillReader,
  type WorkspaceRunOptions,
  type WorkspaceRuntime,
} from "@skillwright/core";
import { lazyReader, untilAborted } from "@skillwright/core/adapter";
import type { OpenWorkspace } from "../lifecycle/open-workspace.js";
import type { SharedRecords } from "../lifecycle/shared-records.js";
import { singleFlight } from "../waiting/single-flight.js";
import {
  ENVIRONMENT_DIRECTORIES,
  type EnvironmentKind,
  type EnvironmentNeed,
  isEnvironmentDirectory,
} from "./environment-need.js";
import { type EnvironmentStore, environmentFiles, type StoredEnvironment } from "./environment-store.js";
import { installerSettings } from "./installer-settings.js";
import { interpreterIdentity } from "./interpreter-identity.js";
import { preparationId } from "./preparation-id.js";
import { type Preparation, prepareEnvironment } from "./prepare-environment.js";
import { type SkillEnvironmentNeeds, skillEnvironmentNeeds } from "./skill-environment-needs.js";

const REMEMBERED_SKILLS = 256;
const nothing = Promise.resolve(undefined);

/** The environments that a run's command sees. */
export type StagedEnvironments = readonly EnvironmentNeed["kind"][];

type EnvironmentCall = CallOptions &
  Pick<WorkspaceRunOptions, "approveInstall"> & {
    /** Digests by name at the start of the run's turn. */
    readonly staged: ReadonlyMap<string, string>;
    readonly tell: (diagnostic: Diagnostic) => void;
  };

/**
 * Makes the packages that the run's skill locks available, and removes those of an earlier run's skill. Call it in the
 * run's turn, when the skill is staged.
 */
export type Environments = (
  workspace: OpenWorkspace,
  skill: (Skill & SkillOrigin) | undefined,
  call: EnvironmentCall,
) => Promise<StagedEnvironments>;

export interface EnvironmentParts {
  /** Missing where no environments are prepared. */
  readonly store: EnvironmentStore | undefined;
  readonly skills: SkillCatalog;
  readonly runtime: WorkspaceRuntime;
  readonly records: SharedRecords;
  readonly limits: RunLimits | undefined;
}

export function environments(parts: EnvironmentParts): Environments {
  const { store, skills, runtime, records, limits } = parts;
  const known = new Map<string, Promise<SkillEnvironmentNeeds>>();
  const identities = new Map<string, Promise<string>>();
  const flight = singleFlight<StoredEnvironment>();

  return async (workspace, skill, call) => {
    const { staged, signal } = call;
    const prepared =
      store && skill ? await preparedFor(skill, { store, workspace: workspace.runtime }, call) : [];
    const wanted = new Map(prepared.map((one) => [ENVIRONMENT_DIRECTORIES[one.kind], one]));
    for (const name of staged.keys())
      if (isEnvironmentDirectory(name) && !wanted.has(name))
        await workspace.runtime.unstage(name, { signal });
    for (const [name, stored] of wanted)
      await workspace.runtime.stage(
        {
          name,
          digest: `sha256:${stored.key}`,
          directory: stored.directory,
          files: () => environmentFiles(stored),
        },
        { signal },
      );
    return prepared.map(({ kind }) => kind);
  };

  async function preparedFor(
    skill: Skill & SkillOrigin,
    { store, workspace }: { store: EnvironmentStore; workspace: RuntimeWorkspace },
    call: EnvironmentCall,
  ): Promise<readonly StoredEnvironment[]> {
    const open = lazyReader(
      () => skills.reader?.(skill.name, { signal: call.signal }),
      (path) => skills.open(skill.name, path, { signal: call.signal }),
    );
    const { needs, diagnostics } = await needsOf(skill, open);
    for (const diagnostic of diagnostics) call.tell(diagnostic);
    if (needs.length === 0) return [];
    const keyed = await Promise.all(
      needs.map(async (need) => {
        const interpreter = await identityOf(need.kind, workspace, call);
        return { need, interpreter, key: await keyOf(need, interpreter) };
      }),
    );
    const found = await Promise.all(keyed.map(({ key }) => store.find(key)));
    const missing = keyed.filter((_, at) => !found[at]);
    if (missing.length === 0) return found.filter((one) => one !== undefined);
    await approve(
      skill,
      missing.map(({ need }) => need),
      call,
    );
    const prepared: StoredEnvironment[] = [];
    for (const [at, own] of keyed.entries())
      prepared.push(found[at] ?? (await prepare(skill, { ...own, workspace, open, store }, call)));
    return prepared;
  }

  /** Remembered per digest: a lockfile is read and parsed once. */
  async function needsOf(skill: Skill, open: SkillReader): Promise<SkillEnvironmentNeeds> {
    const key = `${skill.name} ${skill.digest}`;
    const reading = known.get(key) ?? skillEnvironmentNeeds(skill, open);
    known.set(key, reading);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED_SKILLS && oldest !== undefined) known.delete(oldest);
    return await reading.catch((error: unknown) => {
      known.delete(key);
      throw error;
    });
  }

  /** What a tree holds may not work with another isolation, machine, C library or interpreter. */
  async function keyOf({ digest }: EnvironmentNeed, interpreter: string): Promise<string> {
    const { isolation } = await runtime.capabilities();
    const parts = [digest, runtime.label, isolation.level, interpreter];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }

  /** Asked once per system that commands see. */
  async function identityOf(
    kind: EnvironmentKind,
    workspace: RuntimeWorkspace,
    { signal }: CallOptions,
  ): Promise<string> {
    const key = `${kind} ${workspace.system ?? ""}`;
    // Asking in another workspace may have failed where this one answers.
    const known = await untilAborted(identities.get(key)?.catch(() => undefined) ?? nothing, signal);
    if (known !== undefined) return known;
    const asking = interpreterIdentity(kind, workspace, { signal });
    identities.set(key, asking);
    return await asking.catch((error: unknown) => {
      if (identities.get(key) === asking) identities.delete(key);
      throw error;
    });
  }

  /** Runs that need the same environment share one preparation, and so do processes that share the registry. */
  async function prepare(
    skill: Skill,
    wanted: Pick<Preparation, "need" | "key" | "interpreter" | "workspace" | "open" | "store">,
    { signal, tell }: EnvironmentCall,
  ): Promise<StoredEnvironment> {
    const { need, key, store } = wanted;
    const settings = await installerSettings(need.kind);
    const own = { ...wanted, skill: skill.name, settings, runtime, limits, identityOf };
    for (;;)
      try {
        const work = () =>
          records.alone(
            preparationId(key),
            "run",
            { signal, tell },
            async (signal) => (await store.find(key)) ?? (await prepareEnvironment({ ...own, signal })),
          );
        return await untilAborted(flight(key, work), signal);
      } catch (error) {
        // Another run's abort ended the preparation that this one shared.
        if (signal?.aborted || !SkillError.is(error, "ABORTED")) throw error;
      }
  }
}

async function approve(
  { name, digest, source, trusted }: Skill & SkillOrigin,
  missing: readonly EnvironmentNeed[],
  { approveInstall, signal }: EnvironmentCall,
): Promise<void> {
  const installs = missing.map(({ kind, declaredIn, packages, wheels }) => ({
    kind,
    declaredIn,
    packages,
    fromSkill: wheels.length > 0,
  }));
  if (await approveInstall?.({ skill: name, digest, source, trusted, installs }, { signal })) return;
  const list = missing.flatMap(({ packages }) => packages.map((one) => `${one.name} ${one.version}`));
  const shown = `${list.slice(0, 20).join(", ")}${list.length > 20 ? ` and ${list.length - 20} more` : ""}`;
  throw new SkillError(
    "REFUSED",
    `The skill "${name}" needs packages that are not prepared on this machine: ${shown}. ` +
      (approveInstall
        ? "Installing them was not allowed."
        : "There is nobody to ask here. Prepare them first, with `skillwright env prepare`."),
    { details: { skill: name, packages: list } },
  );
}
