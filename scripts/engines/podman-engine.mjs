import { keep } from "./keeper/keep.mjs";

/**
 * Starts Podman's Docker-compatible service on a socket of its own, rootful, with all of its data in one temporary
 * folder. It ends with this process at the latest. Needs root.
 */
export async function startPodmanEngine() {
  const { details, stop } = await keep("podman", {});
  return {
    /** As `DOCKER_HOST` takes it. */
    host: /** @type {string} */ (details["host"]),
    /** Ends it and all of its containers, and removes its data. */
    stop,
  };
}
