import { readFile } from "node:fs/promises";

let version: Promise<string> | undefined;

/** The version in this package's manifest, which is read once. */
export function ownVersion(): Promise<string> {
  version ??= manifestVersion();
  return version;
}

async function manifestVersion(): Promise<string> {
  const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
