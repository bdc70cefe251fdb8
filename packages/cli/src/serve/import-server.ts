import { SkillError } from "@skillwright/core";

/**
 * The package of the server, which is installed only where it is used: it brings the agent and the SDK of its models.
 * @throws SkillError `UNSUPPORTED` with the remedy where it is not installed.
 */
export async function importServer() {
  return await installed("skillwright serve", async () => {
    const { agentServer, loggedError, textLog } = await import("@skillwright/server");
    const { listen } = await import("@skillwright/server/node");
    return { agentServer, listen, loggedError, textLog };
  });
}

/** Imports `listen` from the same package. @throws SkillError as `importServer`. */
export async function importListen() {
  return await installed(
    "skillwright mcp --http",
    async () => (await import("@skillwright/server/node")).listen,
  );
}

/** Imports `jwtUsers` from the same package. @throws SkillError as `importServer`. */
export async function importUsers() {
  return await installed("--issuer", async () => (await import("@skillwright/server/users")).jwtUsers);
}

/** Imports the package of the web page. @throws SkillError as `importServer`. */
export async function importWeb() {
  return await installed("skillwright serve --web", () => import("@skillwright/web"), "@skillwright/web");
}

async function installed<T>(
  command: string,
  load: () => Promise<T>,
  name = "@skillwright/server",
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    throw new SkillError(
      "UNSUPPORTED",
      `\`${command}\` needs a package that is not installed. Run: npm install --global ${name} (or without --global, where the command is installed in a project).`,
      { cause: error },
    );
  }
}
