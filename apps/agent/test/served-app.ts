import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServedProcess, startedServer } from "../../../packages/cli/test/served-process.js";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

interface ServedApp extends ServedProcess {
  /** Ends it with SIGTERM and returns its exit code. */
  end(): Promise<number | NodeJS.Signals>;
}

/** The program, serving at a free port, with its own home. */
export async function served(
  folder: string,
  option = "--serve",
  ...options: readonly string[]
): Promise<ServedApp> {
  const { DOCKER_HOST } = process.env;
  const env = { DOCKER_HOST, HOME: join(folder, "home"), TMPDIR: tmpdir() };
  const server = await startedServer([program, option, "--port", "0", ...options], { cwd: folder, env });
  const end = async () => {
    server.kill("SIGTERM");
    return await server.ended;
  };
  return { ...server, end };
}
