import { SkillError } from "@skillwright/core";

/**
 * Imports a package that is installed only where it is used.
 * @throws SkillError `UNSUPPORTED` with the remedy if it is not installed.
 */
export async function importOptional<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  return await load().catch((cause: NodeJS.ErrnoException) => {
    if (!["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(cause.code ?? "")) throw cause;
    const text = `This configuration needs ${name}, which is not installed. Run: npm install ${name}`;
    throw new SkillError("UNSUPPORTED", text, { cause });
  });
}
