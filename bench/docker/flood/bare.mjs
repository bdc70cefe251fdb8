import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { root } from "../../../scripts/bootstrap/root.mjs";
import { peakMemory } from "../../workspace/peak-memory.mjs";
import { SECONDS } from "./seconds.mjs";

const Dockerode = createRequire(`${root}/packages/runtime-docker/package.json`)("dockerode");

/** Reads the output of a command with dockerode alone, and keeps nothing of it. */
export default async function bare({ host, certificates, image, command }) {
  const { hostname, port } = new URL(host);
  const file = (name) => readFileSync(`${certificates}/${name}.pem`);
  const tls = { ca: file("ca"), cert: file("cert"), key: file("key") };
  const docker = new Dockerode({ protocol: "https", host: hostname, port, ...tls });
  const network = { HostConfig: { NetworkMode: "none", Init: true } };
  const container = await docker.createContainer({ Image: image, Cmd: ["sleep", "600"], ...network });
  try {
    await container.start();
    await follow(container, "true", 0);
    const { result, more } = await peakMemory(() => follow(container, command, SECONDS * 1000));
    return { printed: result, more };
  } finally {
    await container.remove({ force: true });
  }
}

async function follow(container, command, forMs) {
  const exec = await container.exec({
    Cmd: ["sh", "-c", command],
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({ hijack: true, stdin: false });
  let received = 0;
  stream.on("data", (bytes) => {
    received += bytes.length;
  });
  await setTimeout(forMs);
  stream.destroy();
  return received;
}
