import { readFile } from "node:fs/promises";
import { Secret } from "@skillwright/core";

/** How an installer reaches the package index that this machine is configured with. */
export interface InstallerSettings {
  /** Values that may hold credentials are secrets. */
  readonly variables: Readonly<Record<string, string | Secret>>;
  /** Files for `work/preparation`, by name. They hold no credentials. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders of this machine in which wheels are searched before the index. */
  readonly wheelFolders: readonly string[];
  /** True where no index may be used. */
  readonly offline: boolean;
}

export interface InstallerHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Name of the file with certificates in `work/preparation`, where the installer starts. */
export const CERTIFICATES = "certificates.pem";

/** The certificates as a file of the preparation; nothing where there are none. */
export async function certificateFile(path: string | undefined): Promise<Readonly<Record<string, string>>> {
  // Without them, the installer reports that it does not know the index's certificate.
  const content = path === undefined ? undefined : await readFile(path, "utf8").catch(() => undefined);
  return content === undefined ? {} : { [CERTIFICATES]: content };
}

/** Wraps an address that contains credentials. */
export function secretAddress(value: string): string | Secret {
  return /\/\/[^/\s]*@/.test(value) ? new Secret(value) : value;
}
