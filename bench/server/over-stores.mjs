import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Measures with records in a folder and in SQLite, one after the other, and names each result.
 *
 * @param {(address: string) => Promise<string>} measureOver Gets the address of the records.
 */
export async function overStores(measureOver) {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-records-"));
  try {
    const told = [];
    for (const [name, address] of [
      ["folder", join(folder, "records")],
      ["SQLite", `sqlite:${join(folder, "records.db")}`],
    ])
      told.push(`${name}: ${await measureOver(address)}`);
    return told.join("; ");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
