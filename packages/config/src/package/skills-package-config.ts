import { z } from "zod";

const name = z.string().min(1);

/** The schema of a skills package. */
export const skillsPackageSchema = z.strictObject({
  source: z
    .enum(["local", "oss", "s3", "hybrid"])
    .default("local")
    .describe("`hybrid`: a local folder over a bucket."),
  path: name.default(".").describe("A folder, or the location in a bucket, such as `s3://bucket/prefix`."),
  localPath: name.default(".").describe("The local folder of `hybrid`."),
  version: name.optional().describe("The folder below `path` of a bucket with one release of all skills."),
  skillsDir: name.default("skills").describe("The folder of the skills, relative to `path`."),
  commandsDir: name.default("commands").describe("The folder of the commands, relative to `path`."),
  enabledSkills: z.array(name).optional().describe("Absent enables all, empty enables none."),
  enabledCommands: z.array(name).optional().describe("Absent enables all, empty enables none."),
});

/**
 * Where an agent's skills and commands are stored, and which are enabled. Snake-case names (`skills_dir`,
 * `enabled_skills`, …) are accepted as well. An empty text and null count as absent.
 */
export interface SkillsPackageConfig {
  /** Defaults to `local`. `hybrid`: a local folder over a bucket. */
  readonly source?: "local" | "oss" | "s3" | "hybrid" | undefined;
  /**
   * For `local`: a folder, `.` by default. For `s3`, `oss` and `hybrid`: the location in the bucket:
   * `s3://bucket/prefix`, `oss://bucket/prefix`, or an https URL with the bucket as the first part of its path.
   */
  readonly path?: string | undefined;
  /** For `hybrid`: the local folder, `.` by default. */
  readonly localPath?: string | undefined;
  /**
   * For a bucket: the folder of that name below `path`, which contains one release of all skills beside others. A local
   * folder has no versions: there it has no effect, which is reported.
   */
  readonly version?: string | undefined;
  /** Relative to `path`. Defaults to `skills`. */
  readonly skillsDir?: string | undefined;
  /** Relative to `path`. Defaults to `commands`. */
  readonly commandsDir?: string | undefined;
  /** Absent enables all, empty enables none. */
  readonly enabledSkills?: readonly string[] | undefined;
  /** Absent enables all, empty enables none. */
  readonly enabledCommands?: readonly string[] | undefined;
}

/** The configuration with its defaults applied. */
export type CheckedSkillsPackage = z.output<typeof skillsPackageSchema>;
