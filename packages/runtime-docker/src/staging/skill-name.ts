import { containedPath, SkillError } from "@skillwright/core";

/** @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for a name that cannot be one directory. */
export function checkSkillDirectoryName(name: string): void {
  containedPath(name);
  if (!name.includes("/") && !name.startsWith(".")) return;
  throw new SkillError(
    "PATH_INVALID",
    `A skill cannot be staged as ${JSON.stringify(name.slice(0, 80))}. Use one plain name without a dot at its front.`,
    { details: { skill: name.slice(0, 80) } },
  );
}
