/** `starting-host.mjs <root> <isolation> <workspace> <text>`: starts runs of the text until it is killed, and prints when it begins. */
import { built } from "../built.mjs";

const { localRuntime } = await built("runtime-local");

const AT_ONCE = 4;
const [root, isolation, id, text] = process.argv.slice(2);
const runtime = localRuntime({ root, isolation });
const workspace = (await runtime.attach(id)) ?? (await runtime.create(id));
const base = { command: text, cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000, network: true };
// The first run of a process also loads and creates what later ones reuse.
await (await workspace.start({ ...base, command: "true", runId: `${process.pid}-first` })).result;
process.stdout.write("starts\n");
// Each run ends soon, so that some are being started whenever the kill comes.
await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => startForEver(index)));

async function startForEver(index) {
  for (let run = 0; ; run++) {
    const handle = await workspace.start({ ...base, runId: `${process.pid}-${index}-${run}` });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await handle.signal("SIGKILL");
    await handle.result;
  }
}
