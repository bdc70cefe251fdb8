import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { built } from "../../built.mjs";
import { peakMemory } from "../../workspace/peak-memory.mjs";
import { plainCommand } from "../parts.mjs";
import { SECONDS } from "./seconds.mjs";

const { dockerRuntime } = await built("runtime-docker");

/** Reads the output of a run through our runtime, with the default limit of output. */
export default async function ours({ host, certificates, image, command }) {
  const file = (name) => `${certificates}/${name}.pem`;
  const engine = { host, tls: { ca: file("ca"), cert: file("cert"), key: file("key") } };
  const namespace = `bench-${randomBytes(4).toString("hex")}`;
  const runtime = dockerRuntime({ engine, image, pull: "never", namespace });
  try {
    const workspace = await runtime.create("flood");
    await follow(workspace, "true", 0);
    const { result, more } = await peakMemory(() => follow(workspace, command, SECONDS * 1000));
    return { printed: result, more };
  } finally {
    await runtime.destroy("flood");
    await runtime.close();
  }
}

async function follow(workspace, command, forMs) {
  const run = await workspace.start(plainCommand(command, { maxOutputBytes: 1024 ** 2 }));
  await setTimeout(forMs);
  await run.signal("SIGKILL");
  const { stdout } = await run.result;
  return stdout.totalBytes;
}
