/**
 * Uses the built package as another process would: `host.mjs <engine> <image> <namespace> <workspace> <command>`, which is
 * JSON. Says when the command has said something, and waits for its end.
 */
import { dockerRuntime } from "@skillwright/runtime-docker";

const [host, image, namespace, id, json] = process.argv.slice(2);
const { text: command, times = 1, leaseMs, ...more } = JSON.parse(json);
const runtime = dockerRuntime({ engine: { host }, image, pull: "never", namespace, leaseMs });
const workspace = (await runtime.attach(id)) ?? (await runtime.create(id));
const base = { cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000, ...more };
for (let time = 0; time < times; time++) {
  const run = await workspace.start({ runId: `child-${process.pid}-${time}`, ...base, command });
  for await (const { bytes } of run.output()) process.stdout.write(bytes);
  console.log(JSON.stringify(await run.result));
}
await runtime.close();
