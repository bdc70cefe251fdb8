import type { McpServer } from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { SkillServerOptions } from "../skill-server-options.js";
import { catalogueSource } from "./catalogue-source.js";
import { SKILL_URIS } from "./skill-uri.js";

/** Serves the skills as the extension `io.modelcontextprotocol/skills` (SEP-2640), whose specification is beta. */
export function offerSkills(
  server: McpServer,
  { skills, onDiagnostic }: Pick<SkillServerOptions, "skills" | "onDiagnostic">,
): void {
  const leaveOut = (name: string, why: string) =>
    onDiagnostic?.({
      code: "mcp.skill-left-out",
      severity: "warning",
      message: `${name} is not offered as an MCP skill: ${why}`,
      hint: "The tools offer it as before. Mend the skill where the message says so.",
    });
  new SkillsExtension({
    source: catalogueSource(skills, leaveOut),
    baseUri: SKILL_URIS,
    cacheHint: { ttlMs: 0, cacheScope: "private" },
    onWarning: ({ path, message }) => leaveOut(path, message),
  }).attach(server);
}
