/**
 * Uses the built package as another process would: `host.mjs <engine> <image> <namespace> <workspace> <command> [limits]
 * [times] [key]`. Says when the command has said something, and waits for its end; `limits` is JSON, and `times` how often.
 */
import { dockerRuntime } from "@skillwright/runtime-docker";

const [host, image, namespace, id, command, limits = "{}", times = "1", key] = process.argv.slice(2);
const runtime = dockerRuntime({ engine: { host }, image, pull: "never", namespace });
const workspace = (await runtime.attach(id)) ?? (await runtime.create(id));
const base = { cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000, limits: JSON.parse(limits) };
for (let time = 0; time < Number(times); time++) {
  const run = await workspace.start({
    ...base,
    runId: `child-${process.pid}-${time}`,
    command,
    ...(key && { key }),
  });
  for await (const { bytes } of run.output()) process.stdout.write(bytes);
  console.log(JSON.stringify(await run.result));
}
await runtime.close();
