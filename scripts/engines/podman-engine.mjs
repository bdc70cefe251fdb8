import { keep } from "./keeper/keep.mjs";

/**
 * Starts Podman's Docker-compatible service on a private socket, rootful, with all of its data in one temporary
 * directory. It ends with this process at the latest. Needs root.
 */
export async function startPodmanEngine() {
  const { details, stop } = await keep("podman", {});
  return {
    /** In the form of `DOCKER_HOST`. */
    host: /** @type {string} */ (details["host"]),
    /** Ends it and all of its containers, and removes its data. */
    stop,
  };
}
