import { randomBytes } from "node:crypto";
import type { Agent, AgentDependencies } from "./agent.js";
import type { AgentConfig } from "./agent-config.js";
import { agentOver } from "./agent-over.js";
import { agentSkills } from "./agent-skills.js";
import { agentTools } from "./agent-tools.js";
import { agentWorkspaces } from "./agent-workspaces.js";
import { checkAgentConfig } from "./check-agent-config.js";
import { chosenTemplate } from "./chosen-template.js";
import { searchOffered } from "./search-offered.js";

/**
 * Creates an agent for one conversation. Skills, from `config.skillsPackage` or passed in, add their tools and guidance
 * automatically.
 *
 * @throws SkillError `CONFIG_INVALID` naming each wrong field; what the factories throw.
 */
export async function createAgent(config: AgentConfig, dependencies: AgentDependencies): Promise<Agent> {
  const checked = checkAgentConfig(config);
  const template = chosenTemplate(checked.templateId, dependencies.templates);
  const model = await dependencies.models(checked.modelConfig);
  const skills = await agentSkills(checked, dependencies.skills);
  // A session created for this agent cannot be continued, so its workspace is destroyed with the agent.
  const passing = checked.session === undefined;
  const made = agentWorkspaces(checked, skills.catalog, passing, dependencies);
  // While nothing changes, a turn costs no listing of sources that can be watched.
  const watching = skills.catalog.subscribe(() => undefined);
  const release = async () => {
    await made.close();
    await watching.close();
    await skills.close();
  };
  try {
    const tools = agentTools({
      templateId: checked.templateId,
      template,
      config: { ...checked.skillTools, search: await searchOffered(checked, skills.catalog) },
      skills: skills.catalog,
      withSkills: checked.skillsPackage !== undefined || dependencies.skills !== undefined,
      workspaces: made.workspaces,
      dependencies,
    });
    return agentOver({
      config: checked,
      template,
      model,
      sessions: dependencies.sessions,
      session: checked.session ?? { app: "agent", user: "local", session: newSessionName() },
      skills,
      workspaces: made.workspaces,
      tools,
      profile: dependencies.profile,
      reservedCommands: dependencies.reservedCommands ?? [],
      release,
    });
  } catch (error) {
    await release();
    throw error;
  }
}

/** Shows the start time to people, since it is part of artifact paths: `20261121-093005-4f1d2c`. */
function newSessionName(): string {
  const [date = "", time = ""] = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").split("T");
  return `${date}-${time}-${randomBytes(3).toString("hex")}`;
}
