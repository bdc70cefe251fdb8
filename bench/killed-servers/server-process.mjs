import { fileURLToPath } from "node:url";
import { servingProcess } from "../../scripts/servers/serving-process.mjs";
import { askAt } from "./ask-at.mjs";

export const program = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/**
 * Starts a real `skillwright serve` with its home in the folder. Another server takes its turns over a second after its death.
 *
 * @param {string} folder @param {string} baseURL of the model
 * @param {{ argv?: readonly string[], env?: Record<string, string> }} [more]
 */
export async function serverProcess(folder, baseURL, { argv = [], env = {} } = {}) {
  const options = ["--port", "0", "--model", "openai:fake", "--lease", "1s", ...argv];
  const { serving, ended, shown, kill } = servingProcess([program, "serve", ...options], {
    cwd: folder,
    env: { TMPDIR: folder, HOME: folder, OPENAI_API_KEY: "none", OPENAI_BASE_URL: baseURL, ...env },
  });
  const { address, token } = await serving;
  return {
    ...{ address, token, shown, ask: askAt({ address, token }) },
    kill: async () => {
      kill("SIGKILL");
      await ended;
    },
  };
}
