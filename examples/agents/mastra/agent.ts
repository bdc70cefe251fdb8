import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { injector } from "@skillwright/injector";
import { fsRepository } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { callableTools, skillTools } from "@skillwright/tools";
import { workspaceManager } from "@skillwright/workspace";

const skills = skillBox({ own: fsRepository({ root: `${import.meta.dirname}/../skills` }) });
const workspaces = workspaceManager({ skills, runtime: localRuntime(), destroyOnClose: true });
const context = () => ({ session: { app: "counting", user: "ada", session: "1" }, state: {} });
const prompt = injector().enhanceSystemPrompt("Help.", { snapshot: await skills.snapshot(), state: {} });
const own = callableTools(skillTools({ skills, workspaces }), { context });

const made = own.map(({ name: id, description, inputSchema, execute }) =>
  createTool({
    ...{ id, description, inputSchema: inputSchema as never },
    execute: (input, call) => execute(input, { callId: call.agent?.toolCallId, signal: call.abortSignal }),
  }),
);
const tools = Object.fromEntries(made.map((tool) => [tool.id, tool]));
const described = { id: "counter", name: "Counter", instructions: prompt };
const agent = new Agent({ ...described, model: "openai/gpt-5-mini", tools });
const { text } = await agent.generate("How many words are in: to be or not to be?");
console.log(text);
await workspaces.close();
