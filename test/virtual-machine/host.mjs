/** `host.mjs SECONDS`: a host with one run that sleeps so long. Prints `up` when the command runs, and continues until it is killed. */
import { localRuntime } from "../../packages/runtime-local/dist/index.js";

const [seconds] = process.argv.slice(2);
const runtime = localRuntime();
const id = `host-${process.pid}`;
const workspace = await runtime.create(id);
const handle = await workspace.start({
  ...{ runId: "r1", command: `echo up; sleep ${seconds}; true`, cwd: ".", env: {} },
  ...{ timeoutMs: 3_600_000, maxOutputBytes: 1000 },
});
for await (const { bytes } of handle.output()) process.stdout.write(bytes);
