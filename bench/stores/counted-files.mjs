import fs from "node:fs";

const NAMES = ["lstat", "fstat", "readdir", "open", "read", "close", "realpath"];

/** Does the work while calls of the file system are counted, and the bytes that are read, made at once or in the background. */
export async function countedFiles(work) {
  const kept = [];
  const requests = {};
  let bytes = 0;
  const watch = (holder, key, name, bytesOf) => {
    const original = holder[key];
    kept.push(() => {
      holder[key] = original;
    });
    holder[key] = Object.assign((...given) => {
      requests[name] = (requests[name] ?? 0) + 1;
      const answer = original(...given);
      bytes += bytesOf(given, answer);
      return answer;
    }, original);
  };
  for (const name of NAMES) {
    const isRead = name === "read";
    if (name === "realpath") watch(fs.realpathSync, "native", name, () => 0);
    else watch(fs, `${name}Sync`, name, isRead ? (_, count) => count : () => 0);
    // What the background reads is not known yet: what was asked for stands for it.
    if (name !== "realpath") watch(fs, name, name, isRead ? ([, , , length]) => length : () => 0);
  }
  try {
    await work();
  } finally {
    for (const restore of kept.reverse()) restore();
  }
  return { requests, bytes };
}
