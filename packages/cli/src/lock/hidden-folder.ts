import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { skillSource } from "@skillwright/config";
import type { Diagnostic } from "@skillwright/core";

/** Where clients keep the skills of a project. */
const USUAL = [".skillwright/skills", ".agents/skills", ".claude/skills"];

/**
 * The hidden folder of a source that has skills, which a listing does not search, and how to name it as a source.
 * @param cwd Base of a relative folder.
 * @param diagnostics Those of the source's listing.
 */
export async function hiddenFolder(
  source: string,
  cwd: string,
  diagnostics: readonly Diagnostic[],
): Promise<{ readonly folder: string; readonly remedy: string } | undefined> {
  const parsed = skillSource(source);
  if (parsed.kind === "folder") {
    for (const folder of USUAL) {
      // A folder that cannot be looked at is not proposed.
      const found = await stat(join(resolve(cwd, parsed.path), folder)).catch(() => undefined);
      if (found?.isDirectory()) return { folder, remedy: `Give that folder: ${join(parsed.path, folder)}` };
    }
    return undefined;
  }
  const folder = diagnostics.find(({ code }) => code === "scan.hidden")?.path;
  if (folder === undefined) return undefined;
  if (parsed.kind !== "git") return { folder, remedy: "Unpack it, and give that folder." };
  const [address] = source.split("#");
  const inside = parsed.path === undefined ? folder : `${parsed.path}/${folder}`;
  return { folder, remedy: `Give that folder: ${address}#${parsed.ref ?? ""}:${inside}` };
}
