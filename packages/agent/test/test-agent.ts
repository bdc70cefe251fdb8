import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Approval, RecordStore, SkillRepository, SkillTool } from "@skillwright/core";
import { memoryArtifacts, memoryRecords, memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import type { StoredApprovals } from "@skillwright/tools";
import { onTestFinished } from "vitest";
import type { Agent } from "../src/agent/agent.js";
import type { AgentConfig } from "../src/agent/agent-config.js";
import type { AgentProfile } from "../src/agent/agent-profile.js";
import type { AgentTemplate } from "../src/agent/agent-template.js";
import { createAgent } from "../src/agent/create-agent.js";

export interface TestAgentOptions {
  readonly model: LanguageModelV4;
  /** Files by path, by skill. */
  readonly skills?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly trusted?: boolean;
  readonly tools?: readonly SkillTool[];
  readonly boundTools?: Readonly<Record<string, readonly SkillTool[]>>;
  readonly records?: RecordStore;
  readonly approval?: Approval;
  readonly approvals?: StoredApprovals;
  readonly config?: Partial<AgentConfig>;
  /** Replaces the repository that `skills` would fill. */
  readonly repository?: SkillRepository;
  readonly withoutSkills?: boolean;
  readonly profile?: AgentProfile;
  /** Replaces the template with these tools. */
  readonly template?: AgentTemplate;
}

/** An agent with real parts, all in memory except the workspaces; closed after the test. */
export async function testAgent(options: TestAgentOptions): Promise<Agent> {
  const { model, skills = {}, tools = [], approval, approvals } = options;
  const { repository = memoryRepository({ skills }), profile } = options;
  const agent = await createAgent(
    {
      templateId: "test",
      modelConfig: { provider: "test", model: "test" },
      sandbox: { isolation: "auto" },
      ...options.config,
    },
    {
      records: options.records ?? memoryRecords(),
      templates: {
        test: options.template ?? {
          systemPrompt: "You are tested.",
          tools: ["workspace_list", "workspace_read", "workspace_write", ...tools.map(({ name }) => name)],
        },
      },
      models: () => model,
      runtime: ({ isolation }) => localRuntime({ isolation }),
      tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])),
      ...(options.config?.skillsPackage || options.withoutSkills
        ? {}
        : { skills: skillBox({ test: { repository, trusted: options.trusted ?? true } }) }),
      artifacts: memoryArtifacts(),
      ...(options.boundTools ? { boundTools: options.boundTools } : {}),
      ...(approval ? { approval } : {}),
      ...(approvals ? { approvals } : {}),
      ...(profile ? { profile } : {}),
    },
  );
  onTestFinished(() => agent.close());
  return agent;
}

/** SKILL.md of a skill that copies its input in upper case. */
export const SHOUT = {
  "SKILL.md": `---
name: shout
description: Writes a text file in capital letters.
---
# Shout

## Example

\`\`\`bash
sh shout.sh inputs/note.txt > out/loud.txt
\`\`\`
`,
  "shout.sh": 'tr a-z A-Z < "$1"\n',
};
