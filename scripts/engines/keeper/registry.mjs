import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { keptProgram } from "./kept-program.mjs";

/**
 * Debian's `docker-registry` on loopback, at a port that the kernel chooses.
 *
 * @param {string} folder
 * @param {{ credentials?: { username: string, password: string } }} options
 */
export async function keepRegistry(folder, { credentials }) {
  mkdirSync(`${folder}/data`);
  if (credentials) {
    const { username, password } = credentials;
    writeFileSync(`${folder}/passwords`, `${username}:${bcryptOf(password)}\n`, { mode: 0o600 });
  }
  writeFileSync(`${folder}/registry.json`, JSON.stringify(settings(folder, credentials !== undefined)));

  const log = `${folder}/log`;
  // JSON is valid YAML.
  const program = keptProgram(["docker-registry", "serve", `${folder}/registry.json`], { log });
  const told = () => readFileSync(log, "utf8").match(/listening on (127\.0\.0\.1:\d+)/)?.[1];
  await program.ready(told);

  return {
    details: { address: told() },
    calls: {},
    async stop() {
      await program.end("SIGTERM", 3_000);
    },
  };
}

function settings(folder, isClosed) {
  return {
    version: 0.1,
    log: { level: "info" },
    storage: { filesystem: { rootdirectory: `${folder}/data` }, delete: { enabled: true } },
    http: { addr: "127.0.0.1:0" },
    ...(isClosed && { auth: { htpasswd: { realm: "test", path: `${folder}/passwords` } } }),
  };
}

/** A bcrypt hash, the only form that the registry accepts, computed by the C library's crypt through Perl. */
function bcryptOf(password) {
  const script = "print crypt($ENV{PASSWORD}, q($2y$05$) . $ENV{SALT})";
  const SALT = "abcdefghijklmnopqrstuu";
  return execFileSync("perl", ["-e", script], { encoding: "utf8", env: { PASSWORD: password, SALT } });
}
