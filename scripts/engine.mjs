/**
 * `node scripts/engine.mjs [docker|podman|tcp]`: starts a private engine for experiments, with the test image `base`.
 * Prints its address, and ends it at Ctrl-C.
 */
import { engineStarts } from "./engines/engine-starts.mjs";
import { missingForEngine } from "./engines/missing-for-engine.mjs";
import { testImage } from "./engines/test-images/test-image.mjs";

const name = process.argv[2] ?? "docker";
const start = engineStarts.get(name);
const trouble = start
  ? missingForEngine(name)
  : `there is no engine ${name}: ${[...engineStarts.keys()].join(", ")}`;
if (!start || trouble) {
  console.error(`No engine is started: ${trouble}`);
  process.exit(1);
}
const { host, stop } = await start();
console.log(`export DOCKER_HOST=${host}   # holds ${await testImage(host, "base")}; Ctrl-C ends it`);

const hold = setInterval(() => {}, 2 ** 30);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await stop();
    clearInterval(hold);
  });
}
