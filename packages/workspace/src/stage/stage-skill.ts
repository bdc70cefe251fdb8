import {
  type CallOptions,
  type ContentStore,
  type Diagnostic,
  type RunEvent,
  type RuntimeWorkspace,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
} from "@skillwright/core";
import {
  type ContentLease,
  lazyReader,
  manifestSize,
  SKILL_LINKS,
  withSpan,
} from "@skillwright/core/adapter";
import { skillFiles } from "./skill-files.js";

export interface StageRequest extends CallOptions {
  /** The skill as resolved earlier. Defaults to loading it from the catalogue. */
  readonly resolved?: (Skill & SkillOrigin) | undefined;
  /**
   * True where the run does not name this skill: changed files of an untrusted source are then refused. Defaults to
   * false.
   */
  readonly unasked?: boolean | undefined;
  readonly skills: SkillCatalog;
  readonly content: ContentStore | undefined;
  readonly workspace: RuntimeWorkspace;
  /** The staged digests, if already known. */
  readonly staged?: ReadonlyMap<string, string> | undefined;
  /** Leases of the workspace in the content store, by skill; updated here. */
  readonly leases: Map<string, ContentLease>;
  readonly emit: (event: RunEvent) => void;
  readonly tell: (diagnostic: Diagnostic) => void;
}

/**
 * Ensures that `skills/<name>` shows the resolved skill, or otherwise the catalogue's current one. If the digest is
 * already staged, nothing is read or staged. A skill that changes while it is read is tried once more
 * in its new state, unless it was resolved earlier.
 * @throws SkillError what the catalogue throws, before anything is written; `SKILL_INVALID` for a name that
 * cannot be a directory; `DIGEST_MISMATCH` when it kept changing, or no longer matches the resolved one; `REFUSED` for
 * changed files of an untrusted source that no run named.
 */
export async function stageSkill(name: string, request: StageRequest): Promise<Skill & SkillOrigin> {
  try {
    return await stageOnce(name, request);
  } catch (error) {
    if (request.resolved) throw isAnother(error) ? changedSince(request.resolved, error) : error;
    if (!SkillError.is(error, "DIGEST_MISMATCH")) throw error;
    return await stageOnce(name, request);
  }
}

async function stageOnce(name: string, request: StageRequest): Promise<Skill & SkillOrigin> {
  const { workspace, skills, signal, emit, tell } = request;
  return await withSpan("workspace.stage.skill", { workspaceId: workspace.id, skill: name }, async (set) => {
    const started = performance.now();
    const load = () => withSpan("skill.load", { skill: name }, () => skills.load(name, { signal }));
    const skill = request.resolved ?? (await load());
    checkDirectoryName(skill.name);
    for (const diagnostic of ownDirectoryDiagnostics(skill)) tell(diagnostic);
    const { digest } = skill;
    const staged = request.staged ?? (await workspace.staged({ signal }));
    const changed = staged.get(skill.name) !== digest;
    if (changed && request.unasked && !skill.trusted) throw notApproved(skill);
    if (changed) await stageFiles(name, skill, request);
    const size = { files: skill.manifest.files.length, bytes: manifestSize(skill.manifest) };
    const durationMs = performance.now() - started;
    emit({ type: "skill.staged", skill: skill.name, digest, changed, ...size, durationMs });
    set({ digest, changed, ...size });
    return skill;
  });
}

async function stageFiles(name: string, skill: Skill, request: StageRequest): Promise<void> {
  const { skills, content, workspace, leases, signal } = request;
  const open = lazyReader(
    () => skills.reader?.(name, { signal }),
    (path) => skills.open(name, path, { signal }),
  );
  const store = workspace.copiesSkills ? undefined : content;
  const lease = await store?.materialize(skill.manifest, open, { owner: workspace.id, signal });
  const files = () => skillFiles(skill.manifest, open);
  await workspace.stage(
    { name: skill.name, digest: skill.digest, directory: lease?.directory, files },
    { signal },
  );
  const before = leases.get(skill.name);
  if (lease) leases.set(skill.name, lease);
  // Released only now: until the new directory is shown, the old one may still be mounted.
  if (before && ![...leases.values()].some(({ digest }) => digest === before.digest)) await before.release();
}

/** A removed file also means that the skill has changed. */
function isAnother(error: unknown): error is SkillError {
  return SkillError.is(error, "DIGEST_MISMATCH") || SkillError.is(error, "FILE_NOT_FOUND");
}

function changedSince({ name }: Skill, cause: SkillError): SkillError {
  return new SkillError(
    "DIGEST_MISMATCH",
    `The skill "${name}" changed after it was checked, so nothing ran. Call again to use the new version.`,
    { cause, details: { skill: name } },
  );
}

function notApproved({ name, source }: Skill & SkillOrigin): SkillError {
  return new SkillError("REFUSED", `The skill "${name}" changed, and its source "${source}" is not trusted.`);
}

/** A skill's name is an arbitrary label; here it becomes a directory name. */
function checkDirectoryName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
  if (/^(?!\.)[^/\\\u0000-\u001f\u007f-\u009f]{1,128}$/.test(name) && name === name.normalize("NFC")) return;
  throw new SkillError(
    "SKILL_INVALID",
    `The skill ${JSON.stringify(name.slice(0, 130))} cannot be staged under its name. Rename it in its SKILL.md to ` +
      "lower-case letters, digits and single hyphens.",
    { details: { skill: name.slice(0, 130) } },
  );
}

/** Reports directories of the skill that take the place of the workspace's links. They are kept unchanged. */
function ownDirectoryDiagnostics({
  name,
  manifest,
}: Pick<Skill, "name" | "manifest">): readonly Diagnostic[] {
  const isOwn = (link: string): boolean => {
    const below = `${link}/`;
    return manifest.files.some(({ path }) => path === link || path.startsWith(below));
  };
  return Object.keys(SKILL_LINKS)
    .filter(isOwn)
    .map((link) => ({
      code: "skill-link.kept",
      severity: "warning",
      message: `The skill "${name}" contains its own "${link}", so "${link}/" in its directory is not that of the workspace.`,
      hint: `Commands find the one of the workspace in $${VARIABLES[link] ?? "WORKSPACE_DIR"}.`,
      path: link,
    }));
}

const VARIABLES: Readonly<Record<string, string>> = {
  out: "OUTPUT_DIR",
  work: "WORK_DIR",
  inputs: "INPUTS_DIR",
};
