import { shownLine } from "@skillwright/core/adapter";
import type { Plugin } from "@skillwright/plugins";
import { counted } from "../terminal/amounts.js";

/** What a plugin contains, in a line for skills and one for MCP servers. */
export function contentLines({ skills, servers }: Pick<Plugin, "skills" | "servers">): readonly string[] {
  return [
    `  ${counted(skills.length, "skill")}${named(skills)}`,
    ...(servers.length > 0 ? [`  ${counted(servers.length, "MCP server")}${named(servers)}`] : []),
  ];
}

/** `acme.tools 1.0.0 (agent-plugins)` */
export function titleOf({ manifest, format }: Pick<Plugin, "manifest" | "format">): string {
  const version = manifest.version === undefined ? "" : ` ${manifest.version}`;
  return shownLine(`${manifest.name}${version} (${format})`);
}

/** What a plugin contains, as JSON. */
export function pluginJson({ format, manifest, skills, servers }: Plugin): object {
  return { format, manifest, skills, servers };
}

const MAX_NAMED = 10;

function named(things: readonly { readonly name: string }[]): string {
  const more = things.length > MAX_NAMED ? ", …" : "";
  const names = things.slice(0, MAX_NAMED).map(({ name }) => shownLine(name));
  return names.length === 0 ? "" : `: ${names.join(", ")}${more}`;
}
