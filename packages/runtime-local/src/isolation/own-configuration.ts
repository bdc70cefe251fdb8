import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { INSIDE } from "./bubblewrap-arguments.js";
import { type Mount, readOnly } from "./mount.js";

/** Programs that look up their user find an entry, but learn nothing about the host's users. */
const FILES = {
  passwd:
    "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n" +
    `user:x:${INSIDE.uid}:${INSIDE.gid}:user:/workspace/work:/bin/bash\n` +
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
  group: `root:x:0:\nuser:x:${INSIDE.gid}:\nnogroup:x:65534:\n`,
  hosts: `127.0.0.1 localhost ${INSIDE.hostName}\n::1 localhost\n`,
};

/** Writes the files below the directory where they do not exist yet. */
export async function ownConfiguration(directory: string): Promise<readonly Mount[]> {
  const home = join(directory, "etc");
  await mkdir(home, { recursive: true });
  await chmod(home, 0o755);
  for (const [name, content] of Object.entries(FILES)) await writeOnce(join(home, name), content);
  return Object.keys(FILES).map((name) => readOnly(join(home, name), `/etc/${name}`));
}

async function writeOnce(path: string, content: string): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => undefined)) === content) return;
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(fresh, content, { flag: "wx" });
  await chmod(fresh, 0o644);
  await rename(fresh, path);
}
