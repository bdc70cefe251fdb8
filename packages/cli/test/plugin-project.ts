import { skill } from "./cli-fixture.js";

export const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
export const MANIFEST = JSON.stringify({ $schema: SCHEMA, name: "acme.tools", version: "1.0.0" });
export const SERVERS = JSON.stringify({
  $schema: SCHEMA.replace("plugin.", "mcp."),
  mcpServers: { own: { type: "stdio", command: "./bin/server" } },
});

/** Files of a valid plugin in this folder. */
export function plugin(folder: string, more: Record<string, string> = {}): Record<string, string> {
  const files = {
    ...{ "plugin.json": MANIFEST, "mcp.json": SERVERS, "bin/server": "#!/bin/sh\ntouch started\n" },
    ...{ "skills/notes/SKILL.md": skill("notes"), ...more },
  };
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}
