import { posix } from "node:path";
import type { Diagnostic, JsonValue } from "@skillwright/core";
import { isTextList } from "../manifest/metadata-problems.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";
import { CLAUDE_MANIFEST } from "./claude-manifest.js";

/**
 * The paths of a field that holds one or several, without `./` and a final slash. Others are reported: a path begins with
 * `./`.
 */
export function componentPaths(
  field: string,
  given: JsonValue,
  tell: (diagnostic: Diagnostic) => void,
): readonly string[] {
  const paths = typeof given === "string" ? [given] : given;
  if (!isTextList(paths)) {
    tell(wrongPath(field, given));
    return [];
  }
  for (const path of paths) if (!isRelative(path)) tell(wrongPath(field, path));
  return paths.filter(isRelative).map((path) => posix.normalize(path).replace(/\/+$/, ""));
}

function isRelative(path: string): boolean {
  return path.startsWith("./");
}

function wrongPath(field: string, given: JsonValue): Diagnostic {
  return pluginDiagnostic(
    ["plugin.path-invalid", "error"],
    `The field \`${field}\` of the manifest has ${JSON.stringify(given).slice(0, 120)}, which is no path that begins with ./; it is ignored.`,
    "Write paths relative to the plugin's root, such as ./more/skills.",
    CLAUDE_MANIFEST,
  );
}
