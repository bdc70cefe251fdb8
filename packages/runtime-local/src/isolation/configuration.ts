import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { INSIDE } from "./bubblewrap-arguments.js";
import { type Mount, readOnly, readOnlyIfThere } from "./mount.js";

/** The content of files of our own: programs find an entry for their user, and learn nothing about the host's users. */
const OWN = {
  passwd:
    "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n" +
    `user:x:${INSIDE.uid}:${INSIDE.gid}:user:/workspace/work:/bin/bash\n` +
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
  group: `root:x:0:\nuser:x:${INSIDE.gid}:\nnogroup:x:65534:\n`,
  hosts: `127.0.0.1 localhost ${INSIDE.hostName}\n::1 localhost\n`,
};

/** The entries of the host's `/etc` that programs need to start. None has accounts, keys or the host name. */
const ALWAYS = [
  "alternatives",
  "fonts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "magic",
  "mime.types",
  "perl",
];

/** The entries that are needed to resolve names and to verify certificates. */
const WITH_NETWORK = [
  "ca-certificates",
  "gai.conf",
  "nsswitch.conf",
  "pki/ca-trust/extracted",
  "pki/tls/certs",
  "protocols",
  "resolv.conf",
  "services",
  "ssl/certs",
  "ssl/openssl.cnf",
];

/** The directory `/etc` of a sandbox. */
export interface SandboxConfiguration {
  /** Directories that the sandbox's user has to reach. */
  readonly directories: readonly string[];
  /** Returns the mounts of a run that starts now. */
  mounts(options: { network: boolean }): readonly Mount[];
}

/**
 * Copies files of the host's `/etc` into a directory, because each mount lengthens the start of a run by 5 %. At each start of
 * a run, files that the host has changed are copied again. Directories are mounted.
 */
export function sandboxConfiguration(directory: string, host = "/etc"): SandboxConfiguration {
  const offline = join(directory, "etc");
  const online = join(directory, "etc-online");
  const withoutNetwork = keptCopy(host, offline, ALWAYS);
  const withNetwork = keptCopy(host, online, [...ALWAYS, ...WITH_NETWORK]);
  return {
    directories: [offline, online],
    mounts: ({ network }) => (network ? withNetwork() : withoutNetwork()),
  };
}

/** Returns a function that brings the directory up to date and returns its mounts. */
function keptCopy(host: string, home: string, names: readonly string[]): () => readonly Mount[] {
  const stamps = new Map<string, string>();
  makeDirectory(home, dirname(home));
  for (const [name, content] of Object.entries(OWN)) write(join(home, name), Buffer.from(content), 0o644);

  let mounts: readonly Mount[] | undefined;
  return () => {
    for (const name of names) {
      const found = statsOf(join(host, name));
      const stamp = stampOf(found);
      if (stamps.get(name) === stamp) continue;
      update(name, found);
      stamps.set(name, stamp);
      mounts = undefined;
    }
    mounts ??= [
      readOnly(home, "/etc"),
      ...names
        .filter((name) => stamps.get(name) === DIRECTORY)
        .map((name) => readOnlyIfThere(join(host, name), `/etc/${name}`)),
    ];
    return mounts;
  };

  function update(name: string, found: Stats | undefined): void {
    const copy = join(home, name);
    const before = statsOf(copy);
    // Another process may just have made this entry for a run that starts now, so an entry of the right kind stays.
    if (before && before.isDirectory() !== found?.isDirectory())
      rmSync(copy, { recursive: true, force: true });
    if (found?.isDirectory()) makeDirectory(copy, home);
    else if (!found?.isFile() || !copied(name, copy, found)) rmSync(copy, { recursive: true, force: true });
  }

  /** Returns `false` for a file that this process may not read. */
  function copied(name: string, copy: string, { mode }: Stats): boolean {
    try {
      const content = readFileSync(join(host, name));
      makeDirectory(dirname(copy), home);
      write(copy, content, mode & 0o444);
      return true;
    } catch {
      return false;
    }
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The stamp of every directory, because directories are mounted. */
const DIRECTORY = "directory";

function stampOf(found: Stats | undefined): string {
  if (found?.isDirectory()) return DIRECTORY;
  return found ? [found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join() : "";
}

/** Makes the directory, and lets the sandbox's user enter it and its parents below `base`. */
function makeDirectory(path: string, base: string): void {
  mkdirSync(path, { recursive: true });
  for (let at = path; relative(base, at) !== ""; at = dirname(at)) chmodSync(at, 0o755);
}

/** Writes a file that differs, in one step, because other processes and runs use it. */
function write(path: string, content: Buffer, mode: number): void {
  const before = statsOf(path);
  const isSame = before?.size === content.byteLength && (before.mode & 0o777) === mode;
  if (isSame && readFileSync(path).equals(content)) return;
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(fresh, content, { flag: "wx", mode: 0o600 });
  chmodSync(fresh, mode);
  renameSync(fresh, path);
}
