import path from "node:path";
import { SkillError } from "@skillwright/core";

/** @throws SkillError `CONFIG_INVALID` for a folder that is not absolute. */
export function checkedHostRoots(roots: readonly string[] = []): readonly string[] {
  return roots.map((root) => {
    if (path.isAbsolute(root)) return path.resolve(root);
    throw new SkillError(
      "CONFIG_INVALID",
      `hostInputRoots contains ${JSON.stringify(root)}, which is not an absolute path. Use path.resolve().`,
      { details: { field: "hostInputRoots" } },
    );
  });
}
