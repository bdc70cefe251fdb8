import { containedPath, SkillError } from "@skillwright/core";

/** @throws SkillError `PATH_OUTSIDE`, `PATH_INVALID` for a name that cannot be one directory. */
export function checkSkillDirectoryName(name: string): void {
  containedPath(name);
  if (!name.includes("/") && !name.startsWith(".")) return;
  throw new SkillError(
    "PATH_INVALID",
    `${JSON.stringify(name.slice(0, 80))} cannot be used as the directory of a staged skill. Use a single name that does not start with a dot.`,
    { details: { skill: name.slice(0, 80) } },
  );
}
