/**
 * Imported before the package under test: kills this process with SIGKILL just before its n-th call that changes the
 * file system, where n is the environment variable KILL_AT. Without it their number is printed at the end, and which of them write bytes. With KILL_IN=1
 * and a call that writes bytes, half of them are written before.
 */
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const killAt = Number(process.env.KILL_AT ?? 0);
const { writeSync } = fs;
const writing = [];
let calls = 0;

function count(name, [descriptor, bytes]) {
  calls++;
  const isWriting = name === "writeSync" && typeof bytes === "object";
  if (isWriting) writing.push(calls);
  if (calls !== killAt) return;
  if (process.env.KILL_IN === "1" && isWriting) writeSync(descriptor, bytes, 0, bytes.byteLength >> 1);
  process.kill(process.pid, "SIGKILL");
}

for (const [target, names] of [
  [promises, ["mkdir", "rename", "writeFile", "unlink", "rmdir", "rm", "chmod", "symlink", "utimes"]],
  [fs, ["openSync", "open", "writeSync", "write", "fchmodSync", "fchmod", "ftruncateSync", "ftruncate"]],
])
  for (const name of names) {
    const original = target[name];
    target[name] = (...parameters) => {
      count(name, parameters);
      return original.apply(target, parameters);
    };
  }
syncBuiltinESMExports();

process.on("exit", () => console.log(JSON.stringify({ calls, writing })));
