import { type Diagnostic, type JsonValue, SkillError } from "@skillwright/core";
import { pluginDiagnostic } from "../plugin-diagnostic.js";
import { jsonText, MOST_BYTES } from "./json-text.js";
import { packagePlace } from "./package-path.js";
import { readRegularFile } from "./read-file.js";

/**
 * Reads a JSON file of the plugin; `undefined` where it does not exist.
 * @param path Relative to `root`, a path without symlinks.
 * @throws SkillError `PATH_OUTSIDE` where it leads out of the plugin, `LIMIT_EXCEEDED` for more than 1 MiB,
 * `CONFIG_INVALID` for what is no regular file with JSON.
 */
export async function readJsonFile(
  root: string,
  path: string,
  tell: (diagnostic: Diagnostic) => void,
): Promise<JsonValue | undefined> {
  const place = await packagePlace(root, path);
  if (place.kind === "absent") return undefined;
  if (place.kind === "outside")
    throw new SkillError(
      "PATH_OUTSIDE",
      `${path} leads out of the plugin. Replace the symlink with the file.`,
    );
  const bytes = place.kind === "inside" ? await contentOf(place.path, path) : undefined;
  if (!bytes)
    throw new SkillError("CONFIG_INVALID", `${path} is not a regular file. Replace it with a file.`);
  const { value, repeated } = jsonText(bytes, path);
  for (const name of repeated)
    tell(
      pluginDiagnostic(
        ["plugin.repeated-name", "warning"],
        `${path} has the name ${JSON.stringify(name)} twice in one object; the last one counts.`,
        "Keep one of them: other programs may use the first.",
        path,
      ),
    );
  return value;
}

async function contentOf(resolved: string, path: string): Promise<Uint8Array | undefined> {
  try {
    return await readRegularFile(resolved, MOST_BYTES);
  } catch (error) {
    if (!SkillError.is(error, "LIMIT_EXCEEDED")) throw SkillError.from(error, `Reading ${path}`);
    const message = `${path} has more than ${MOST_BYTES} bytes. Shorten it.`;
    throw new SkillError("LIMIT_EXCEEDED", message, { details: { limit: MOST_BYTES } });
  }
}
