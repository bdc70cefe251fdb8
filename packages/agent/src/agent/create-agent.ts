import { randomBytes } from "node:crypto";
import { type Closable, type SessionScope, SkillError } from "@skillwright/core";
import type { Agent, AgentDependencies } from "./agent.js";
import type { AgentConfig } from "./agent-config.js";
import { agentOver } from "./agent-over.js";
import type { AgentTemplate } from "./agent-template.js";
import { agentTools } from "./agent-tools.js";
import { notedWorkspaces } from "./noted-workspaces.js";
import { ownFolder } from "./own-folder.js";
import { pendingUploads } from "./pending-uploads.js";
import { searchOffered } from "./search-offered.js";
import { type SharedParts, sharedParts } from "./shared-parts.js";
import { waitingChanges } from "./waiting-changes.js";

/**
 * Creates an agent for one conversation. Skills, from `config.skillsPackage` or passed in, add their tools and guidance
 * automatically.
 *
 * @throws SkillError `CONFIG_INVALID` naming each wrong field; `UNSUPPORTED` naming a package that the configuration
 * needs and that is not installed; whatever the caller's factories throw.
 */
export async function createAgent(config: AgentConfig, dependencies: AgentDependencies = {}): Promise<Agent> {
  // A session created for this agent cannot be continued, so its workspace is destroyed with the agent.
  const shared = await sharedParts(config, dependencies, { destroyOnClose: !config.session });
  const session = shared.config.session ?? { app: "agent", user: "local", session: newSessionName() };
  try {
    return await agentIn(session, shared, dependencies, shared.close);
  } catch (error) {
    await shared.close();
    throw error;
  }
}

/** The agents of many conversations with one configuration, which share their model, skills, runtime and workspaces. */
export interface Agents extends Closable {
  /**
   * Creates the agent of a conversation. Its workspace outlives it.
   * @throws SkillError `CLOSED` after `close()`; `UNSUPPORTED` and `REFUSED` for a folder of the user.
   */
  open(session: SessionScope): Promise<Agent>;
}

/** Opens what the agents share once. Close the agents first. @throws SkillError as `createAgent` does. */
export async function createAgents(
  config: Omit<AgentConfig, "session">,
  dependencies: AgentDependencies = {},
): Promise<Agents> {
  const shared = await sharedParts(config, dependencies, { destroyOnClose: false });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= shared.close());
  return {
    open: async (session) => {
      if (closing)
        throw new SkillError("CLOSED", "These agents are closed. Create new ones with createAgents().");
      return await agentIn(session, shared, dependencies, async () => undefined);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function agentIn(
  session: SessionScope,
  shared: SharedParts,
  dependencies: AgentDependencies,
  release: () => Promise<void>,
): Promise<Agent> {
  const { config, template, model, skills, records, runtime } = shared;
  const { manage } = config.skillTools;
  const own = await ownFolder(runtime, { ...dependencies, wanted: config.sandbox.hostFolder, session });
  const uploaded = pendingUploads(records, session, config.agent);
  const workspaces = notedWorkspaces(own?.keeping(shared.workspaces) ?? shared.workspaces, uploaded);
  const given = dependencies.proposals;
  const proposals = waitingChanges({ manage, given, skills: skills.catalog, records, session });
  const { tools, loadedTools } = agentTools({
    templateId: config.templateId,
    template,
    config: { ...config.skillTools, search: await searchOffered(config, skills.catalog, dependencies) },
    skills: skills.catalog,
    withSkills: config.skillsPackage !== undefined || dependencies.skills !== undefined,
    workspaces,
    proposals,
    dependencies,
  });
  return agentOver({
    config,
    template: own ? withGuidance(template, own.guidance) : template,
    model,
    records,
    session,
    proposals,
    uploaded,
    own,
    countTokens: dependencies.countTokens,
    skills,
    workspaces,
    tools,
    loadedTools,
    approvals: dependencies.approvals,
    profile: dependencies.profile,
    reservedCommands: dependencies.reservedCommands ?? [],
    release,
  });
}

function withGuidance(template: AgentTemplate, guidance: string): AgentTemplate {
  return { ...template, systemPrompt: [template.systemPrompt, guidance].join("\n") };
}

/** Shows the start time to people, since it is part of artifact paths: `20261121-093005-4f1d2c`. */
function newSessionName(): string {
  const [date = "", time = ""] = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").split("T");
  return `${date}-${time}-${randomBytes(3).toString("hex")}`;
}
