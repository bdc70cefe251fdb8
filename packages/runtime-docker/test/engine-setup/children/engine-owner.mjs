/** Starts a private engine with a container in it, reports the engine's socket, and stays until it is killed. */
import { startDockerEngine } from "../../../../../scripts/engines/docker-engine.mjs";
import { testImage } from "../../../../../scripts/engines/test-images/test-image.mjs";

const { socket } = await startDockerEngine();
await testImage(socket, "base");
console.log(socket);
setInterval(() => {}, 60_000);
