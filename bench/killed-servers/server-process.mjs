import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** A real `skillwright serve` with its data in the folder; its turns are taken over a second after it died. */
export async function serverProcess(folder, baseURL) {
  const child = spawn(
    process.execPath,
    [program, "serve", "--port", "0", "--model", "openai:fake", "--isolation", "none", "--lease", "1s"],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        TMPDIR: folder,
        HOME: folder,
        NO_COLOR: "1",
        OPENAI_API_KEY: "none",
        OPENAI_BASE_URL: baseURL,
      },
    },
  );
  const ended = once(child, "close");
  let shown = "";
  child.stderr.on("data", (piece) => {
    shown += piece;
  });
  const [, address, token] = await new Promise((resolve, reject) => {
    child.stdout.on("data", (piece) => {
      shown += piece;
      const found = /^address +(\S+)$[\s\S]*^token +(\S+)$/m.exec(shown);
      if (found) resolve(found);
    });
    ended.then(() => reject(new Error(`The server ended: ${shown}`)));
  });
  return {
    /** @param {string} path @param {{ json?: unknown, headers?: Record<string, string> }} [given] */
    ask: (path, { json, headers } = {}) =>
      fetch(`${address}${path}`, {
        method: json === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
