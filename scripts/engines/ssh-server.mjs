import { keep } from "./keeper/keep.mjs";

/**
 * Starts an OpenSSH server (Debian's `openssh-server`) on loopback at an unprivileged port, with keys, settings and known
 * hosts in one temporary folder, beside whatever else runs on the machine. It ends, with all of its sessions, with this
 * process at the latest. Needs root.
 */
export async function startSshServer() {
  const { details, ask, stop } = await keep("ssh", {});
  return {
    /** `ssh://user@127.0.0.1:port`; a socket's path behind it makes it an engine's address. */
    host: /** @type {string} */ (details["host"]),
    /** First in `PATH`, its `ssh` is the system's with the folder's settings alone. */
    programs: /** @type {string} */ (details["programs"]),
    /** Holds `client.conf` and `known-hosts`, which a test may change. */
    folder: /** @type {string} */ (details["folder"]),
    /** Ends every session; new ones are served. */
    drop: async () => void (await ask("drop")),
    /** Ends it and every session at once, and waits for the end. */
    kill: async () => void (await ask("kill")),
    /** Starts it again at the same port, after `kill`. */
    start: async () => void (await ask("start")),
    /** Ends it and removes its folder. */
    stop,
  };
}
