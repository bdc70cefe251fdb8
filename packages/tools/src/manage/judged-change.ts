import {
  type ApprovalChange,
  type CallOptions,
  manifestDigest,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
  skillManifest,
} from "@skillwright/core";
import { uploadedSkill } from "@skillwright/core/adapter";
import { type ChangeFindings, checkedFindings } from "./change-findings.js";
import { type HeldFile, sha256, skillFiles } from "./skill-files.js";
import type { SkillChange } from "./skill-proposal.js";
import { checkSupportPath, proposedBytes } from "./support-file.js";

/** What a change makes of the skill. */
export interface MadeChange {
  readonly base: (Skill & SkillOrigin) | undefined;
  readonly digest: string;
  /** Files of the skill after the change, by path. For a deletion, files of the current skill. */
  readonly files: ReadonlyMap<string, HeldFile>;
  readonly changes: readonly ApprovalChange[];
}

interface JudgedChange extends MadeChange {
  /** What the linter finds. */
  readonly findings: ChangeFindings;
}

/** @throws SkillError as `SkillProposals.propose`. */
export async function judgedChange(
  skills: SkillCatalog,
  change: SkillChange,
  options: CallOptions,
): Promise<JudgedChange> {
  const { before, ...made } = await madeChange(skills, change, options);
  if (change.action === "delete") return { ...made, findings: { all: [], added: [] } };
  const { name } = change;
  const others = (await skills.snapshot(options)).skills.map((skill) => skill.name);
  const knownNames = others.filter((other) => other !== name);
  return { ...made, findings: await checkedFindings(name, before, made.files, knownNames) };
}

/** The skill after the change, without the linter. @throws SkillError as `SkillProposals.propose`. */
export async function madeChange(
  skills: SkillCatalog,
  change: SkillChange,
  options: CallOptions,
): Promise<MadeChange & { readonly before: ReadonlyMap<string, HeldFile> }> {
  const base = await currentSkill(skills, change, options);
  const before = base ? await skillFiles(skills, base, options) : new Map<string, HeldFile>();
  if (change.action === "delete") {
    const changes = [...before.keys()].map((path) => ({ path, change: "removed" as const }));
    return { base, digest: base?.digest ?? "", files: before, changes, before };
  }
  if (change.action === "rollback") {
    const earlier = await skills.load(change.name, { ...options, version: change.version });
    const files = await skillFiles(skills, earlier, options, change.version);
    return { base, digest: earlier.digest, files, changes: differences(before, files), before };
  }
  if (change.from !== undefined && change.from !== base?.digest) throw changed(change);
  const files = changedFiles(before, change);
  const manifest = skillManifest(
    [...files].map(([path, { bytes, executable }]) => ({
      path,
      size: bytes.byteLength,
      executable,
      sha256: sha256(bytes),
    })),
  );
  const { name } = uploadedSkill(files.get("SKILL.md")?.bytes, (name) => name === base?.name);
  if (name !== change.name)
    throw new SkillError(
      "SKILL_INVALID",
      `SKILL.md names the skill "${name}", not "${change.name}". The name of a skill cannot change; create a new skill instead.`,
    );
  return { base, digest: manifestDigest(manifest), files, changes: differences(before, files), before };
}

/**
 * The skill on which the change is based; `undefined` for a new one.
 * @throws SkillError `SKILL_EXISTS`, `SKILL_NOT_FOUND`, `CONFLICT`.
 */
export async function currentSkill(
  skills: SkillCatalog,
  { action, name, repository }: SkillChange,
  { signal }: CallOptions,
): Promise<(Skill & SkillOrigin) | undefined> {
  const { skills: all } = await skills.snapshot({ signal });
  const found = all.find((skill) => skill.name === name);
  if (action === "create") {
    if (found?.source === repository) throw exists(name, repository);
    return undefined;
  }
  if (found && found.source !== repository)
    throw new SkillError(
      "CONFLICT",
      `The active skill "${name}" is in "${found.source}", not in "${repository}". Give that scope, or create the skill here first.`,
    );
  return await skills.load(name, { signal });
}

function changedFiles(
  before: ReadonlyMap<string, HeldFile>,
  { put = [], remove = [] }: Extract<SkillChange, { action: "create" | "update" }>,
): Map<string, HeldFile> {
  const files = new Map(before);
  for (const path of remove) {
    checkSupportPath(path);
    if (path === "SKILL.md")
      throw new SkillError("INPUT_INVALID", "SKILL.md cannot be removed. Delete the skill instead.");
    if (!files.delete(path)) {
      const names = [...before.keys()].filter((one) => one !== "SKILL.md").join(", ") || "none";
      throw new SkillError(
        "FILE_NOT_FOUND",
        `There is no file "${path}". Files other than SKILL.md: ${names}.`,
      );
    }
  }
  // An executable file stays executable when its text changes: a person made it executable.
  for (const file of put)
    files.set(file.path, {
      bytes: proposedBytes(file),
      executable: before.get(file.path)?.executable ?? false,
    });
  return files;
}

function differences(
  before: ReadonlyMap<string, HeldFile>,
  after: ReadonlyMap<string, HeldFile>,
): readonly ApprovalChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): ApprovalChange[] => {
    const [was, is] = [before.get(path), after.get(path)];
    if (!was) return [{ path, change: "added" }];
    if (!is) return [{ path, change: "removed" }];
    const isSame = was.executable === is.executable && Buffer.compare(was.bytes, is.bytes) === 0;
    return isSame ? [] : [{ path, change: "changed" }];
  });
}

function changed({ name, repository }: SkillChange): SkillError {
  return new SkillError(
    "CONFLICT",
    `The skill "${name}" in "${repository}" changed during the edit. Read it again and repeat the edit.`,
  );
}

function exists(name: string, repository: string): SkillError {
  return new SkillError(
    "SKILL_EXISTS",
    `A skill "${name}" already exists in "${repository}". Update it, or choose another name.`,
  );
}
