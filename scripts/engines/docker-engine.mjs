import { keep } from "./keeper/keep.mjs";

/**
 * Starts a private Docker engine (Debian's `docker.io`), with all of its data in one temporary directory. It does not
 * affect other engines on the machine. It ends with this process at the latest. Needs root.
 *
 * @param {object} [options]
 * @param {boolean} [options.liveRestore] Containers survive the engine.
 * @param {boolean} [options.tcp] `host` is a TCP address on loopback instead of the socket.
 * @param {boolean} [options.tls] It serves TCP on loopback only to clients with a certificate; see `certificates`.
 * @param {boolean} [options.ownNetwork] The engine is in another network namespace, connected only to this one; `host` is
 *   its TCP address there.
 * @param {string} [options.runsc] Path of gVisor's program, which is then the runtime `runsc`, in which containers run by default.
 */
export async function startDockerEngine(options = {}) {
  const { details, ask, stop } = await keep("docker", options);
  return {
    /** In the form of `DOCKER_HOST`. */
    host: /** @type {string} */ (details["host"]),
    /** The engine's socket, even if `host` is a TCP address. */
    socket: /** @type {string} */ (details["socket"]),
    /** With `tls` the directory of `ca.pem`, `cert.pem` and `key.pem`, as for `DOCKER_CERT_PATH`. */
    certificates: /** @type {string | undefined} */ (details["certificates"]),
    /** Ends the engine, not its containers, and waits for its end. @param {"SIGKILL" | "SIGTERM"} [signal] */
    kill: async (signal = "SIGKILL") => void (await ask("kill", signal)),
    /** Starts it again at the same address with the same data, after `kill`. */
    start: async () => void (await ask("start")),
    /** Stops it from answering until `goOn`. */
    hang: async () => void (await ask("hang", true)),
    goOn: async () => void (await ask("hang", false)),
    /** Ends it and all of its containers, and removes its data. */
    stop,
  };
}
