/**
 * Uses the built package as another process would: `host.mjs <engine> <image> <namespace> <workspace> <command>`. Says when
 * the command has said something, and waits for its end.
 */
import { dockerRuntime } from "@skillwright/runtime-docker";

const [host, image, namespace, id, command] = process.argv.slice(2);
const runtime = dockerRuntime({ engine: { host }, image, pull: "never", namespace });
const workspace = (await runtime.attach(id)) ?? (await runtime.create(id));
const base = { runId: `child-${process.pid}`, cwd: ".", env: {}, timeoutMs: 600_000, maxOutputBytes: 1000 };
const run = await workspace.start({ ...base, command });
for await (const { bytes } of run.output()) process.stdout.write(bytes);
console.log(JSON.stringify(await run.result));
await runtime.close();
