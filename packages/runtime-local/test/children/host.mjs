/**
 * Uses the built package like another process: `host.mjs <root> <isolation> <workspace> <command> [<limits>]`, result on
 * stdout. A missing workspace is created. Limits are JSON.
 */
import { run } from "@skillwright/core/adapter";
import { localRuntime } from "@skillwright/runtime-local";

const [root, isolation, id, command, limits] = process.argv.slice(2);
const runtime = localRuntime({ root, isolation });
const workspace = (await runtime.attach(id)) ?? (await runtime.create(id));
const base = {
  runId: `child-${process.pid}`,
  cwd: ".",
  env: {},
  timeoutMs: 120_000,
  maxOutputBytes: 100_000,
  endsWithHost: true,
  ...(limits && { limits: JSON.parse(limits) }),
};
const result = await run(
  workspace,
  { ...base, command },
  { onOutput: ({ bytes }) => process.stderr.write(bytes) },
);
console.log(JSON.stringify(result));
if (!process.env.SKILLWRIGHT_TEST_UNCLOSED) await runtime.close();
