import { z } from "zod";

const name = z.string().min(1);

/** The shape of a skills package. */
export const skillsPackageSchema = z.strictObject({
  source: z.enum(["local", "oss", "s3", "hybrid"]),
  path: name.default("."),
  localPath: name.default("."),
  version: name.optional(),
  skillsDir: name.default("skills"),
  commandsDir: name.default("commands"),
  enabledSkills: z.array(name).optional(),
  enabledCommands: z.array(name).optional(),
});

/**
 * Where an agent's skills and commands lie and which are enabled. Names in snake case (`skills_dir`, `enabled_skills`, …)
 * are accepted as well.
 */
export interface SkillsPackageConfig {
  /** `hybrid`: a local folder over a bucket. */
  readonly source: "local" | "oss" | "s3" | "hybrid";
  /**
   * Of `local` a folder, `.` by default. Of `s3` and `oss` the place in the bucket: `s3://bucket/prefix`,
   * `oss://bucket/prefix`, or an https address with the bucket as the first part of its path. Of `hybrid` the same.
   */
  readonly path?: string | undefined;
  /** Of `hybrid` the local folder, `.` by default. */
  readonly localPath?: string | undefined;
  /**
   * Of a bucket the folder of that name below `path`: one release of all skills beside others. A local folder has one
   * state and no versions: there it is told to be without effect.
   */
  readonly version?: string | undefined;
  /** Below `path`; `skills` by default. */
  readonly skillsDir?: string | undefined;
  /** Below `path`; `commands` by default. */
  readonly commandsDir?: string | undefined;
  /** All where it is missing, none where it is empty. */
  readonly enabledSkills?: readonly string[] | undefined;
  /** All where it is missing, none where it is empty. */
  readonly enabledCommands?: readonly string[] | undefined;
}

/** The configuration with its defaults. */
export type CheckedSkillsPackage = z.output<typeof skillsPackageSchema>;
