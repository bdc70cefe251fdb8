/**
 * Imported before the package under test: kills this process with SIGKILL just before its n-th call that changes the
 * file system, where n is the environment variable KILL_AT. Without it the calls are counted and printed at the end.
 */
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const killAt = Number(process.env.KILL_AT ?? 0);
let calls = 0;

function count() {
  calls++;
  if (calls === killAt) process.kill(process.pid, "SIGKILL");
}

for (const [target, names] of [
  [promises, ["mkdir", "rename", "writeFile", "unlink", "rmdir", "rm", "chmod", "symlink", "utimes"]],
  [fs, ["openSync", "open", "writeSync", "write", "fchmodSync", "fchmod"]],
])
  for (const name of names) {
    const original = target[name];
    target[name] = (...parameters) => {
      count();
      return original.apply(target, parameters);
    };
  }
syncBuiltinESMExports();

process.on("exit", () => console.log(calls));
