import type { Diagnostic, JsonObject } from "@skillwright/core";
import { packagePlace } from "../files/package-path.js";
import { pluginDiagnostic } from "../plugin-diagnostic.js";

/** The components of Claude Code that have no meaning here: the manifest's field, and the place without it. */
const COMPONENTS: Readonly<Record<string, string>> = {
  commands: "commands",
  agents: "agents",
  hooks: "hooks/hooks.json",
  outputStyles: "output-styles",
  lspServers: ".lsp.json",
};

/** One diagnostic for each type of component that the plugin has and that is not used. */
export async function unusedComponents(fields: JsonObject, root: string): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const [field, path] of Object.entries(COMPONENTS))
    if (fields[field] !== undefined || (await packagePlace(root, path)).kind === "inside")
      found.push(
        pluginDiagnostic(
          ["plugin.component-ignored", "info"],
          `The plugin has ${field}, which are used by Claude Code alone; they are ignored.`,
          "Nothing needs to be done. Skills and MCP servers of the plugin are used.",
          path,
        ),
      );
  return found;
}
