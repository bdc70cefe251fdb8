import { keep } from "./keeper/keep.mjs";

/**
 * Starts an OpenSSH server (Debian's `openssh-server`) on loopback at an unprivileged port, with keys, settings and known
 * hosts in one temporary directory, separate from others on the machine. It ends, with all of its sessions, with this
 * process at the latest. Needs root.
 */
export async function startSshServer() {
  const { details, ask, stop } = await keep("ssh", {});
  return {
    /** `ssh://user@address:port`; with the path of a socket appended it is an engine's address. */
    host: /** @type {string} */ (details["host"]),
    /** A directory for the beginning of `PATH`, whose `ssh` uses only the settings of this server. */
    programs: /** @type {string} */ (details["programs"]),
    /** Contains `client.conf` and `known-hosts`, which a test may change. */
    folder: /** @type {string} */ (details["folder"]),
    /** Ends every session; new ones are accepted. */
    drop: async () => void (await ask("drop")),
    /** Ends the server and every session immediately, and waits for the end. */
    kill: async () => void (await ask("kill")),
    /** Starts it again at the same port, after `kill`. */
    start: async () => void (await ask("start")),
    /** Ends it and removes its directory. */
    stop,
  };
}
