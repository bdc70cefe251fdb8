import {
  type CallOptions,
  containedPath,
  type Skill,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";
import { verifiedFile } from "../stage/skill-files.js";
import { type InputTree, singleFile } from "./input-tree.js";

/**
 * Returns a file of the skill, or all files of one of its directories, each verified against the manifest while it is
 * read.
 * @throws SkillError `FILE_NOT_FOUND`, `PATH_OUTSIDE`, `PATH_INVALID`; `DIGEST_MISMATCH` from a content.
 */
export function skillTree(
  skill: Skill,
  path: string,
  { skills, signal }: CallOptions & { skills: SkillCatalog },
): InputTree {
  const wanted = containedPath(path.replace(/\/+$/, ""));
  const open = (file: string) => skills.open(skill.name, file, { signal });
  const found = skill.manifest.files
    .filter((file) => file.path === wanted || file.path.startsWith(`${wanted}/`))
    .map((file) => ({
      path: file.path.slice(wanted.length + 1),
      size: file.size,
      executable: file.executable,
      open: async () => ({ content: verifiedFile(file, open) }),
    }));
  const [first] = found;
  if (!first) throw notThere(skill, wanted);
  return first.path === "" ? singleFile(first) : { isDirectory: true, files: found };
}

function notThere({ name, manifest }: Skill, path: string): SkillError {
  const some = manifest.files.slice(0, 10).map((file) => file.path);
  return new SkillError(
    "FILE_NOT_FOUND",
    `The skill "${name}" has no file or directory ${JSON.stringify(path.slice(0, 200))}. It has ${some.join(", ")}` +
      `${manifest.files.length > some.length ? " and more" : ""}.`,
    { details: { path } },
  );
}
