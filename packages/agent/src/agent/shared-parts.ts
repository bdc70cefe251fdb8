import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type CheckedAgentConfig, checkAgentConfig } from "@skillwright/config";
import type { RecordStore, WorkspaceRuntime } from "@skillwright/core";
import { memoryRecords } from "@skillwright/repository-memory";
import type { WorkspaceManager } from "@skillwright/workspace";
import { maskedModel } from "../models/masked-model.js";
import { modelProvider } from "../models/model-provider.js";
import type { AgentDependencies } from "./agent.js";
import type { AgentConfig } from "./agent-config.js";
import { type AgentSkills, agentSkills } from "./agent-skills.js";
import { type AgentTemplate, ASSISTANT } from "./agent-template.js";
import { agentWorkspaces } from "./agent-workspaces.js";
import { applicationNamespace } from "./application-namespace.js";
import { checkDeclaredLoads } from "./check-declared-loads.js";
import { chosenTemplate } from "./chosen-template.js";
import { defaultRuntime } from "./default-runtime.js";
import { sweepAtStart } from "./sweep-at-start.js";

/** What belongs to a configuration and not to a conversation. */
export interface SharedParts {
  readonly config: CheckedAgentConfig;
  readonly template: AgentTemplate;
  readonly model: LanguageModelV4;
  readonly skills: AgentSkills;
  readonly records: RecordStore;
  readonly runtime: WorkspaceRuntime;
  readonly workspaces: WorkspaceManager;
  /** Closes what was opened here, last first. */
  close(): Promise<void>;
}

/** @throws SkillError as `createAgent` does. */
export async function sharedParts(
  config: AgentConfig,
  dependencies: AgentDependencies,
  { destroyOnClose }: { readonly destroyOnClose: boolean },
): Promise<SharedParts> {
  // A runtime or a root that the caller gives may be shared with other applications.
  const isOwn = dependencies.runtime === undefined && config.sandbox?.root === undefined;
  const namespace = isOwn ? applicationNamespace("agent") : undefined;
  const {
    templates = { assistant: ASSISTANT },
    models = modelProvider,
    runtime: runtimeOf = (sandbox) => defaultRuntime(sandbox, { namespace }),
  } = dependencies;
  const checked = checkAgentConfig(config);
  const template = chosenTemplate(checked.templateId, templates);
  const model = maskedModel(await models(checked.modelConfig), checked.modelConfig);
  const skills = await agentSkills(checked, dependencies.skills);
  const opened: (() => Promise<void>)[] = [skills.close];
  let isEnding = false;
  const close = async () => {
    isEnding = true;
    for (const part of opened.splice(0).reverse()) await part();
  };
  try {
    await checkDeclaredLoads(checked.loads.declared, skills.catalog);
    // While nothing changes, a turn costs no listing of sources that can be watched.
    const watching = skills.catalog.subscribe(() => undefined);
    opened.push(() => watching.close());
    const runtime = await runtimeOf(checked.sandbox);
    opened.push(() => runtime.close());
    const workspaces = agentWorkspaces(
      checked,
      runtime,
      skills.catalog,
      { destroyOnClose, namespace },
      dependencies,
    );
    opened.push(() => workspaces.close());
    // Workspaces that killed agents left are found now and not only by the first run.
    sweepAtStart(workspaces, dependencies.workspaces?.onDiagnostic, () => isEnding);
    const { records = memoryRecords() } = dependencies;
    return { config: checked, template, model, skills, records, runtime, workspaces, close };
  } catch (error) {
    await close();
    throw error;
  }
}
