import { containedPath } from "../contained-path.js";
import { SKILL_LIMITS } from "../skill/manifest.js";
import { type ParsedSkill, parseSkill } from "../skill/parse-skill.js";
import { isSkillName } from "../skill/skill-name.js";
import { SkillError } from "../skill-error.js";
import { type PathClaims, pathClaims } from "./path-claims.js";

/** Limits what an upload may contain, checked per file and per piece while it streams in. */
export interface UploadRules {
  /**
   * Called before a file is accepted.
   * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`; `SKILL_INVALID` for a path given twice or used as file and as
   * directory; `LIMIT_EXCEEDED` for one file too many.
   */
  admit(path: string): void;
  /** Called with each piece before it is stored. @throws SkillError `LIMIT_EXCEEDED`. */
  count(path: string, bytes: number): void;
}

export interface UploadLimits {
  readonly files: number;
  readonly bytes: number;
  readonly skillFileBytes: number;
}

/**
 * Creates the rules of one upload, the same for every writable repository.
 * @param claims Holds the used names. A reader of archives also enters its directories there.
 */
export function uploadRules(
  limits: UploadLimits = SKILL_LIMITS,
  claims: PathClaims = pathClaims("upload"),
): UploadRules {
  let total = 0;
  let skillFile = 0;

  function admit(path: string): void {
    claims.file(containedPath(path));
    if (claims.fileCount > limits.files) throw exceeded(path, "files", limits.files, "files");
  }

  function count(path: string, bytes: number): void {
    total += bytes;
    if (path === "SKILL.md") skillFile += bytes;
    if (skillFile > limits.skillFileBytes)
      throw exceeded(path, "skillFileBytes", limits.skillFileBytes, "bytes of SKILL.md");
    if (total > limits.bytes) throw exceeded(path, "bytes", limits.bytes, "bytes");
  }

  return { admit, count };
}

/**
 * Parses SKILL.md of an upload with a writer's strictness, because the skill is stored under the name in it.
 * @param isStored True for the name of a skill that the upload replaces: it stays, whatever the standard says of it.
 * @throws SkillError `SKILL_INVALID` where it is missing, cannot be loaded, or has no name; as `checkNewName`.
 */
export function uploadedSkill(
  content: string | Uint8Array | undefined,
  isStored: (name: string) => boolean = () => false,
): ParsedSkill {
  if (content === undefined)
    throw invalid("The upload has no SKILL.md at its top level. Add one with name and description.");
  const { skill, diagnostics } = parseSkill(content, { directoryName: "" });
  if (!skill) {
    const reason = diagnostics.find(({ severity }) => severity === "error");
    throw invalid(`SKILL.md cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`.trim());
  }
  const { name } = skill;
  if (!isSkillName(name) && (name === "" || !isStored(name))) throw badName(name);
  return skill;
}

/** @throws SkillError `SKILL_INVALID` for a name that the standard does not allow. */
export function checkNewName(name: string): void {
  if (!isSkillName(name)) throw badName(name);
}

function badName(name: string): SkillError {
  return invalid(
    `The name ${JSON.stringify(name)} cannot be stored. Use 1 to 64 lower-case letters, digits and single hyphens.`,
  );
}

function invalid(message: string): SkillError {
  return new SkillError("SKILL_INVALID", message);
}

function exceeded(path: string, limit: keyof UploadLimits, value: number, of: string): SkillError {
  const message = `"${path}" exceeds a limit: a skill may have at most ${value} ${of}. Remove some.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { limit, value, path } });
}
