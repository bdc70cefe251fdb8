import { randomBytes } from "node:crypto";
import { checkAgentConfig } from "@skillwright/config";
import { memorySessions } from "@skillwright/repository-memory";
import { modelProvider } from "../models/model-provider.js";
import type { Agent, AgentDependencies } from "./agent.js";
import type { AgentConfig } from "./agent-config.js";
import { agentOver } from "./agent-over.js";
import { agentSkills } from "./agent-skills.js";
import { type AgentTemplate, ASSISTANT } from "./agent-template.js";
import { agentTools } from "./agent-tools.js";
import { agentWorkspaces } from "./agent-workspaces.js";
import { checkDeclaredLoads } from "./check-declared-loads.js";
import { chosenTemplate } from "./chosen-template.js";
import { defaultRuntime } from "./default-runtime.js";
import { ownFolder } from "./own-folder.js";
import { searchOffered } from "./search-offered.js";
import { sweepAtStart } from "./sweep-at-start.js";
import { waitingChanges } from "./waiting-changes.js";

/**
 * Creates an agent for one conversation. Skills, from `config.skillsPackage` or passed in, add their tools and guidance
 * automatically.
 *
 * @throws SkillError `CONFIG_INVALID` naming each wrong field; `UNSUPPORTED` naming a package that the configuration
 * needs and that is not installed; whatever the caller's factories throw.
 */
export async function createAgent(config: AgentConfig, dependencies: AgentDependencies = {}): Promise<Agent> {
  const {
    templates = { assistant: ASSISTANT },
    models = modelProvider,
    runtime = defaultRuntime,
  } = dependencies;
  const checked = checkAgentConfig(config);
  const template = chosenTemplate(checked.templateId, templates);
  const model = await models(checked.modelConfig);
  const skills = await agentSkills(checked, dependencies.skills);
  const opened: (() => Promise<void>)[] = [skills.close];
  let isEnding = false;
  const release = async () => {
    isEnding = true;
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    await checkDeclaredLoads(checked.loads.declared, skills.catalog);
    // While nothing changes, a turn costs no listing of sources that can be watched.
    const watching = skills.catalog.subscribe(() => undefined);
    opened.push(() => watching.close());
    // A session created for this agent cannot be continued, so its workspace is destroyed with the agent.
    const passing = checked.session === undefined;
    const sandbox = await runtime(checked.sandbox);
    opened.push(() => sandbox.close());
    const session = checked.session ?? { app: "agent", user: "local", session: newSessionName() };
    const own = await ownFolder(sandbox, { ...dependencies, wanted: checked.sandbox.hostFolder, session });
    const plain = agentWorkspaces(checked, sandbox, skills.catalog, passing, dependencies);
    opened.push(() => plain.close());
    // Workspaces that killed agents left are found now and not only by the first run.
    sweepAtStart(plain, dependencies.workspaces?.onDiagnostic, () => isEnding);
    const workspaces = own?.keeping(plain) ?? plain;
    const sessions = dependencies.sessions ?? memorySessions();
    const { manage } = checked.skillTools;
    const given = dependencies.proposals;
    const proposals = waitingChanges({ manage, given, skills: skills.catalog, sessions, session });
    const { tools, loadedTools } = agentTools({
      templateId: checked.templateId,
      template,
      config: { ...checked.skillTools, search: await searchOffered(checked, skills.catalog, dependencies) },
      skills: skills.catalog,
      withSkills: checked.skillsPackage !== undefined || dependencies.skills !== undefined,
      workspaces,
      proposals,
      dependencies,
    });
    return agentOver({
      config: checked,
      template: own ? withGuidance(template, own.guidance) : template,
      model,
      sessions,
      session,
      proposals,
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
  } catch (error) {
    await release();
    throw error;
  }
}

function withGuidance(template: AgentTemplate, guidance: string): AgentTemplate {
  return { ...template, systemPrompt: [template.systemPrompt, guidance].join("\n") };
}

/** Shows the start time to people, since it is part of artifact paths: `20261121-093005-4f1d2c`. */
function newSessionName(): string {
  const [date = "", time = ""] = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").split("T");
  return `${date}-${time}-${randomBytes(3).toString("hex")}`;
}
