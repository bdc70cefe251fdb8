import type { Diagnostic, JsonValue } from "@skillwright/core";
import { isObject } from "../files/json-text.js";
import type { Plugin } from "../plugin.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";
import { CLAUDE_MANIFEST, CLAUDE_METADATA, claudeManifest } from "./claude-manifest.js";
import { claudeServers } from "./claude-servers.js";
import { claudeSkills } from "./claude-skills.js";
import { unusedComponents } from "./unused-components.js";

/**
 * Reads what a manifest of Claude Code describes: skills and MCP servers. Components of other types are reported and
 * ignored. Skills are read leniently, as Claude Code does.
 * @throws SkillError `CONFIG_INVALID` for a manifest without a usable name, or with metadata of the wrong type.
 */
export async function claudePlugin(
  value: JsonValue,
  root: string,
  tell: (diagnostic: Diagnostic) => void,
): Promise<Pick<Plugin, "manifest" | "skills" | "servers">> {
  const manifest = claudeManifest(value);
  const fields = isObject(value) ? value : {};
  for (const unused of await unusedComponents(fields, root)) tell(unused);
  for (const field of Object.keys(fields))
    if (!KNOWN.has(field))
      tell(
        pluginDiagnostic(
          ["plugin.unknown-field", "info"],
          `The manifest has the field ${JSON.stringify(field)}, which is not used here; it is ignored.`,
          "Nothing needs to be done, unless it is misspelled.",
          CLAUDE_MANIFEST,
        ),
      );
  return {
    manifest,
    skills: await claudeSkills(fields["skills"], root, tell),
    servers: await claudeServers(fields["mcpServers"], root, tell),
  };
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["$schema", ...CLAUDE_METADATA, "skills", "mcpServers"],
  ...["commands", "agents", "hooks", "outputStyles", "lspServers", "category", "tags", "displayName"],
]);
