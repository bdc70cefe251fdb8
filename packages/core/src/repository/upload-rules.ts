import { containedPath } from "../contained-path.js";
import { SKILL_LIMITS } from "../skill/manifest.js";
import { type ParsedSkill, parseSkill } from "../skill/parse-skill.js";
import { isSkillName } from "../skill/skill-name.js";
import { SkillError } from "../skill-error.js";
import { type PathClaims, pathClaims } from "./path-claims.js";

/** What may be in an upload, judged file by file and piece by piece while it streams in. */
export interface UploadRules {
  /**
   * Asked before a file is taken.
   * @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID`; `SKILL_INVALID` for a path given twice or used as file and as
   *   folder; `LIMIT_EXCEEDED` for one file too many.
   */
  admit(path: string): void;
  /** Told of each piece before it is kept. @throws SkillError `LIMIT_EXCEEDED`. */
  count(path: string, bytes: number): void;
}

export interface UploadLimits {
  readonly files: number;
  readonly bytes: number;
  readonly skillFileBytes: number;
}

/**
 * The rules of one upload, the same for every writable repository.
 * @param claims Where the names are kept; a reader of archives enters its folders there too.
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
 * SKILL.md of an upload, read with the strictness of a writer: the skill is stored under the name it gives.
 * @throws SkillError `SKILL_INVALID` where it is missing, cannot be loaded, or has no name that the standard allows.
 */
export function uploadedSkill(content: string | Uint8Array | undefined): ParsedSkill {
  if (content === undefined)
    throw invalid("The upload has no SKILL.md at its top. Add one, with name and description.");
  const { skill, diagnostics } = parseSkill(content, { directoryName: "" });
  if (!skill) {
    const reason = diagnostics.find(({ severity }) => severity === "error");
    throw invalid(`SKILL.md cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`.trim());
  }
  if (!isSkillName(skill.name))
    throw invalid(
      `The name ${JSON.stringify(skill.name)} cannot be stored. Use 1 to 64 lower-case letters, digits and single hyphens.`,
    );
  return skill;
}

function invalid(message: string): SkillError {
  return new SkillError("SKILL_INVALID", message);
}

function exceeded(path: string, limit: keyof UploadLimits, value: number, of: string): SkillError {
  const message = `"${path}" is too much: a skill may have at most ${value} ${of}. Take some out.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { limit, value, path } });
}
