import { startDockerEngine } from "./docker-engine.mjs";
import { startPodmanEngine } from "./podman-engine.mjs";

/** The functions that start the named engines. `tcp` is Docker in another network namespace, reached over TCP. */
export const engineStarts = new Map([
  ["docker", () => startDockerEngine()],
  ["podman", () => startPodmanEngine()],
  ["tcp", () => startDockerEngine({ ownNetwork: true })],
]);
