import { readFile } from "node:fs/promises";

/** The version in this package's manifest. */
export async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
