import { SkillError } from "@skillwright/core";

/**
 * A package that is installed only where it is needed.
 * @throws SkillError `UNSUPPORTED` naming it and what to do where it is not installed.
 */
export async function importPeer<Module>(
  name: string,
  purpose: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new SkillError("UNSUPPORTED", `${purpose} needs the package ${name}: npm install ${name}`, {
      cause: error,
    });
  }
}
