/**
 * Unpacks an archive with the built package: `unpack.mjs <archive> <directory>`. With KILL_AT it is killed just before its
 * n-th call that changes the file system; at the end it prints the number of those calls.
 */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const killAt = Number(process.env.KILL_AT ?? 0);
const [archive, directory] = process.argv.slice(2);
const bytes = await promises.readFile(archive);
let calls = 0;

for (const name of ["mkdir", "mkdtemp", "open", "rename", "rm", "rmdir"]) {
  const original = promises[name];
  promises[name] = (...parameters) => {
    calls++;
    if (calls === killAt) process.kill(process.pid, "SIGKILL");
    return original(...parameters);
  };
}
syncBuiltinESMExports();

const { unpackArchive } = await import("@skillwright/archive");
await unpackArchive(bytes, { directory, existing: "replace" });
console.log(calls);
