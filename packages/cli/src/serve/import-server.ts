import { SkillError } from "@skillwright/core";

/**
 * The package of the server, which is installed only where it is used: it brings the agent and the SDK of its models.
 * @throws SkillError `UNSUPPORTED` with the remedy where it is not installed.
 */
export async function importServer() {
  try {
    const { agentServer } = await import("@skillwright/server");
    const { listen } = await import("@skillwright/server/node");
    return { agentServer, listen };
  } catch (error) {
    if (!["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    throw new SkillError(
      "UNSUPPORTED",
      "`skillwright serve` needs a package that is not installed. Run: npm install --global @skillwright/server (or without --global, where the command is installed in a project).",
      { cause: error },
    );
  }
}
