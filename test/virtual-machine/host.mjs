/** `host.mjs SECONDS [LEASE_MS]`: a host with one run that sleeps so long. Prints `up` when the command runs, and continues until it is killed. */
import { localRuntime } from "../../packages/runtime-local/dist/index.js";

const [seconds, lease] = process.argv.slice(2);
const runtime = localRuntime(lease === undefined ? {} : { leaseMs: Number(lease) });
const workspace = await runtime.create(`host-${process.pid}`);
const handle = await workspace.start({
  ...{ runId: "r1", command: `echo up; sleep ${seconds}; true`, cwd: ".", env: {} },
  ...{ timeoutMs: 3_600_000, maxOutputBytes: 1000, key: lease && "call-1" },
});
for await (const { bytes } of handle.output()) process.stdout.write(bytes);
