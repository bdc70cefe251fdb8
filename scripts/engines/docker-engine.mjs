import { keep } from "./keeper/keep.mjs";

/**
 * Starts a Docker engine of its own (Debian's `docker.io`), with all of its data in one temporary folder, beside
 * whatever else runs on the machine. It ends with this process at the latest. Needs root.
 *
 * @param {object} [options]
 * @param {boolean} [options.liveRestore] Containers outlive the engine.
 * @param {boolean} [options.tcp] `host` is a TCP address on loopback instead of the socket.
 * @param {boolean} [options.tls] It serves TCP on loopback to holders of a certificate only; see `certificates`.
 * @param {boolean} [options.ownNetwork] The engine is in another network namespace, joined to this one alone; `host` is
 *   its TCP address there.
 */
export async function startDockerEngine(options = {}) {
  const { details, ask, stop } = await keep("docker", options);
  return {
    /** As `DOCKER_HOST` takes it. */
    host: /** @type {string} */ (details["host"]),
    /** The engine's socket, also where `host` is a TCP address. */
    socket: /** @type {string} */ (details["socket"]),
    /** With `tls` the folder of `ca.pem`, `cert.pem` and `key.pem`, as `DOCKER_CERT_PATH` wants it. */
    certificates: /** @type {string | undefined} */ (details["certificates"]),
    /** Ends the engine alone, without its containers, and waits for its end. @param {"SIGKILL" | "SIGTERM"} [signal] */
    kill: async (signal = "SIGKILL") => void (await ask("kill", signal)),
    /** Starts it again at the same address on the same data, after `kill`. */
    start: async () => void (await ask("start")),
    /** From then on it answers nothing, until `goOn`. */
    hang: async () => void (await ask("hang", true)),
    goOn: async () => void (await ask("hang", false)),
    /** Ends it and all of its containers, and removes its data. */
    stop,
  };
}
