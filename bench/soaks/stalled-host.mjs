import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The programs that the soak requires. */
export const needs = ["bubblewrap", "supervisor", "packages/runtime-local/dist"];

const RUNS = 2000;
const host = fileURLToPath(new URL("../soak/stalling-host.mjs", import.meta.url));

/**
 * Runs commands of known outcomes, half of them in sandboxes, in a host that blocks its own event loop for 50 to 500 ms at
 * random. Every run must be reported correctly.
 */
export async function soak({ seed, share, tell }) {
  const runs = Math.max(10, Math.round(RUNS * share));
  const root = await mkdtemp(join(tmpdir(), "skillwright-stalled-"));
  // On a root host commands run as another user.
  await chmod(root, 0o711);
  const child = spawn(process.execPath, [host, root, String(runs), String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => {
    tell(piece.trimEnd());
    said += piece;
  });
  const [code] = await once(child, "close");
  await rm(root, { recursive: true, force: true });
  const lines = said.trim().split("\n");
  const total = lines.pop();
  if (code !== 0 || lines.length > 0)
    throw new Error(`exit ${code}, ${lines.length} misreported: ${lines.join("; ")}`);
  return `${total}, none misreported`;
}
