import { McpServer, type RegisteredTool } from "@modelcontextprotocol/server";
import type { CatalogSnapshot } from "@skillwright/core";
import { injector } from "@skillwright/injector";
import { offerTools } from "../calls/offered-tools.js";
import { ownVersion } from "../own-version.js";
import { offerWorkspaceFiles } from "../resources/workspace-files.js";
import type { SkillServerOptions } from "../skill-server-options.js";
import { offerSkills } from "../skills/offered-skills.js";
import { nameSkills } from "./follow-catalogue.js";
import type { HostSession } from "./host-session.js";

/**
 * Creates the protocol server of a session. A client on streams that first asks for the revisions gets a second server. Over HTTP,
 * each request gets its own.
 */
export async function hostServer(
  session: HostSession,
  options: SkillServerOptions,
  prepare: (server: McpServer, tools: ReadonlyMap<string, RegisteredTool>) => void = () => undefined,
): Promise<McpServer> {
  const { name = "skillwright", version = await ownVersion(), approvalTimeoutMs = 600_000 } = options;
  const snapshot = await options.skills.snapshot();
  const server = new McpServer(
    { name, title: "Skillwright", version },
    {
      capabilities: { logging: {} },
      instructions: instructionsOf(snapshot, options),
      inputRequired: { roundTimeoutMs: approvalTimeoutMs },
      requestState: { verify: (state, ctx) => session.rounds.verify(state, ctx) },
    },
  );
  const tools = offerTools(server, session, options);
  offerWorkspaceFiles(server, session);
  offerSkills(server, options);
  nameSkills(tools, snapshot);
  // The person agreed to the earlier folders only.
  server.server.setNotificationHandler("notifications/roots/list_changed", () => {
    session.roots.folders = undefined;
  });
  prepare(server, tools);
  return server;
}

function instructionsOf(
  snapshot: CatalogSnapshot,
  { overview, instructions = "" }: SkillServerOptions,
): string {
  const tools = ["skill_list", "skill_load", "skill_run"];
  const { text } = injector({
    maxCharacters: overview?.maxCharacters,
    maxSkills: overview?.maxSkills,
    tools,
  }).overview({ snapshot });
  return [text, instructions].filter((part) => part !== "").join("\n\n");
}
