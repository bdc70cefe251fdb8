/**
 * Uses the built package like another process: `kept-host.mjs <root> <isolation> <workspace> <runId> <command> [leaseMs]`.
 * Output on stderr while it arrives, the result on stdout.
 */
import { run } from "@skillwright/core/adapter";
import { localRuntime } from "@skillwright/runtime-local";

const [root, isolation, id, runId, command, leaseMs] = process.argv.slice(2);
const runtime = localRuntime({ root, isolation, leaseMs: Number(leaseMs) });
const workspace = await runtime.attach(id);
const base = {
  cwd: ".",
  env: {},
  timeoutMs: 120_000,
  maxOutputBytes: 100_000,
};
const result = await run(
  workspace,
  { ...base, runId, keep: true, command, stdin: "given\n" },
  { onOutput: ({ bytes }) => process.stderr.write(bytes) },
);
console.log(JSON.stringify(result));
await runtime.close();
