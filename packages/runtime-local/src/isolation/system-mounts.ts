import { lstat, readlink } from "node:fs/promises";
import { link, type Mount, readOnly } from "./mount.js";

/** The files in `/etc` that programs need to start. No accounts, keys or host name. */
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

/** The files needed to resolve names and to verify certificates. */
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

/** `/usr` and the directories beside it that link into it, or that replace it on systems that keep them separate. */
export async function programMounts(): Promise<readonly Mount[]> {
  const mounts = [readOnly("/usr")];
  for (const directory of ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]) {
    const found = await lstat(directory).catch(() => undefined);
    if (found?.isSymbolicLink()) mounts.push(link(await readlink(directory), directory));
    else if (found?.isDirectory()) mounts.push(readOnly(directory));
  }
  return mounts;
}

export function configurationMounts({ network }: { network: boolean }): readonly Mount[] {
  return [...ALWAYS, ...(network ? WITH_NETWORK : [])].map((name) => {
    const path = `/etc/${name}`;
    return { kind: "read-only-if-there", source: path, target: path };
  });
}
