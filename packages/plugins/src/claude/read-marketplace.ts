import { realpath } from "node:fs/promises";
import { type Diagnostic, type JsonObject, type JsonValue, SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";
import { isObject } from "../files/json-text.js";
import { readJsonFile } from "../files/read-json-file.js";
import { fieldProblem, manifestInvalid } from "../manifest/field-problem.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";
import { type MarketplaceSource, marketplaceSource } from "./marketplace-source.js";

/** A marketplace of Claude Code: a list of plugins and where each is. */
export interface Marketplace {
  readonly name: string;
  readonly owner?: { readonly name?: string; readonly email?: string };
  readonly description?: string;
  readonly plugins: readonly MarketplacePlugin[];
  /** Entries that are left out. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface MarketplacePlugin {
  readonly name: string;
  readonly source: MarketplaceSource;
  readonly description?: string;
  readonly version?: string;
  /** True by default: the plugin's own manifest counts. False: the entry is its whole manifest. */
  readonly strict: boolean;
  /** The entry without `source` and `strict`, in the form of a manifest; for `claudeManifest` of `readPlugin`. */
  readonly manifest: JsonObject;
}

const FILE = ".claude-plugin/marketplace.json";

/**
 * Reads `.claude-plugin/marketplace.json` of a folder. Nothing is fetched. An entry without a name or a known kind of
 * source is left out and reported.
 * @throws SkillError `FILE_NOT_FOUND` without the file; `PATH_OUTSIDE` where it leads out of the folder;
 * `LIMIT_EXCEEDED` for more than 1 MiB; `CONFIG_INVALID` for anything without a name and a list of plugins.
 */
export async function readMarketplace(directory: string): Promise<Marketplace> {
  const diagnostics: Diagnostic[] = [];
  const root = await ifThere(realpath(directory));
  const value = root && (await readJsonFile(root, FILE, (diagnostic) => void diagnostics.push(diagnostic)));
  if (value === undefined || value === "")
    throw new SkillError("FILE_NOT_FOUND", `${directory} is not a marketplace: it has no ${FILE}. Add one.`);
  const { name, owner, plugins, metadata, description } = isObject(value) ? value : ({} as JsonObject);
  if (typeof name !== "string" || name === "" || !Array.isArray(plugins))
    throw manifestInvalid(FILE, [fieldProblem("name, plugins", value, "a name and a list of plugins")]);
  const about = isObject(metadata) ? metadata : {};
  const told = text("description", description) ?? text("description", about["description"]);
  return {
    name,
    ...(isObject(owner) && { owner: { ...text("name", owner["name"]), ...text("email", owner["email"]) } }),
    ...told,
    plugins: plugins.flatMap((entry: JsonValue) => pluginOf(entry, about["pluginRoot"], diagnostics)),
    diagnostics,
  };
}

function pluginOf(
  entry: JsonValue,
  pluginRoot: JsonValue | undefined,
  diagnostics: Diagnostic[],
): readonly MarketplacePlugin[] {
  const { source: given, strict, ...manifest } = isObject(entry) ? entry : ({} as JsonObject);
  const { name, description, version } = manifest;
  const source = marketplaceSource(given, typeof pluginRoot === "string" ? pluginRoot : ".");
  if (typeof name === "string" && name !== "" && source)
    return [
      {
        ...{ name, source, strict: strict !== false, manifest },
        ...text("description", description),
        ...text("version", version),
      },
    ];
  diagnostics.push(
    pluginDiagnostic(
      ["plugin.marketplace-entry", "error"],
      `The entry ${JSON.stringify(typeof name === "string" ? name : entry).slice(0, 120)} of the marketplace is left out: it needs a name and a source of a known kind inside of its place.`,
      "Correct its source: a path that begins with ./, or an object of kind github, url, git-subdir or npm.",
      FILE,
    ),
  );
  return [];
}

function text<Name extends string>(
  name: Name,
  value: JsonValue | undefined,
): { readonly [key in Name]: string } | undefined {
  return typeof value === "string" ? ({ [name]: value } as { [key in Name]: string }) : undefined;
}
