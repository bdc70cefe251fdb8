/**
 * Uses the built package like another process: `keyed-host.mjs <root> <isolation> <workspace> <key> <command> [leaseMs]`.
 * Output on stderr while it arrives, the result on stdout.
 */
import { run } from "@skillwright/core/adapter";
import { localRuntime } from "@skillwright/runtime-local";

const [root, isolation, id, key, command, leaseMs] = process.argv.slice(2);
const runtime = localRuntime({ root, isolation, leaseMs: Number(leaseMs) });
const workspace = await runtime.attach(id);
const base = {
  runId: `child-${process.pid}`,
  cwd: ".",
  env: {},
  timeoutMs: 120_000,
  maxOutputBytes: 100_000,
};
const result = await run(
  workspace,
  { ...base, key, command, stdin: "given\n" },
  { onOutput: ({ bytes }) => process.stderr.write(bytes) },
);
console.log(JSON.stringify(result));
await runtime.close();
