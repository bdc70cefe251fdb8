/** Uses the built package in a worker thread, and reports when its command runs. */
import { parentPort, workerData } from "node:worker_threads";
import { localRuntime } from "@skillwright/runtime-local";

const { root, id, command } = workerData;
const runtime = localRuntime({ root });
const workspace = await runtime.attach(id);
const base = { runId: "in-worker", cwd: ".", env: {}, timeoutMs: 30_000, maxOutputBytes: 1000 };
const handle = await workspace.start({ ...base, endsWithHost: true, command });
for await (const _ of handle.output()) parentPort.postMessage("runs");
