import { isContainedPath } from "@skillwright/core";
import { fileNameProblem } from "@skillwright/core/adapter";

const FALLBACK = "skill";

/**
 * The folder of the only skill at a URL: the archive's own, otherwise the URL's last part without its extension; for
 * `csv/SKILL.md` that is `csv`. `skill` where neither is a usable name.
 */
export function folderName(directoryName: string | undefined, { pathname }: URL): string {
  const parts = pathname.split("/").filter(Boolean).map(decoded);
  const isSkillFile = parts.at(-1)?.toLowerCase() === "skill.md";
  const last = parts.at(isSkillFile ? -2 : -1) ?? "";
  const name = directoryName ?? (isSkillFile ? last : last.replace(/\.(?:tar\.gz|tgz|zip|skill|md)$/i, ""));
  const isPlain = isContainedPath(name) && !name.includes("/") && fileNameProblem(name) === undefined;
  return isPlain ? name : FALLBACK;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
