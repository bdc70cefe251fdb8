import { McpServer } from "@modelcontextprotocol/server";
import { injector } from "@skillwright/injector";
import { offerTools } from "../calls/offered-tools.js";
import { ownVersion } from "../own-version.js";
import { offerWorkspaceFiles } from "../resources/workspace-files.js";
import type { SkillServerOptions } from "../skill-server-options.js";
import { offerSkills } from "../skills/offered-skills.js";
import { followCatalogue } from "./follow-catalogue.js";
import type { HostSession } from "./host-session.js";

/** The protocol's side of a session. A client that first asks for the revisions gets a second one. */
export async function hostServer(session: HostSession, options: SkillServerOptions): Promise<McpServer> {
  const { name = "skillwright", version = await ownVersion(), approvalTimeoutMs = 600_000 } = options;
  const server = new McpServer(
    { name, title: "Skillwright", version },
    {
      capabilities: { logging: {} },
      instructions: await instructionsOf(options),
      inputRequired: { roundTimeoutMs: approvalTimeoutMs },
      requestState: { verify: (state, ctx) => session.rounds.verify(state, ctx) },
    },
  );
  const tools = offerTools(server, session, options);
  offerWorkspaceFiles(server, session);
  offerSkills(server, options);
  session.atEnd(await followCatalogue(server, tools, options));
  return server;
}

async function instructionsOf({ skills, overview, instructions = "" }: SkillServerOptions): Promise<string> {
  const tools = ["skill_list", "skill_load", "skill_run"];
  const { text } = injector({
    maxCharacters: overview?.maxCharacters,
    maxSkills: overview?.maxSkills,
    tools,
  }).overview({ snapshot: await skills.snapshot() });
  return [text, instructions].filter((part) => part !== "").join("\n\n");
}
