import fs from "node:fs";

const NAMES = ["lstat", "fstat", "readdir", "open", "read", "close", "realpath"];

/** Does the work and counts its calls of the file system, in the foreground and in the background, and the bytes read. */
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
    // The bytes of background reads are not known yet, so the requested bytes are counted.
    if (name !== "realpath") watch(fs, name, name, isRead ? ([, , , length]) => length : () => 0);
  }
  try {
    await work();
  } finally {
    for (const restore of kept.reverse()) restore();
  }
  return { requests, bytes };
}
