import { injector } from "@skillwright/injector";
import { fsRepository } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { callableTools, skillTools } from "@skillwright/tools";
import { workspaceManager } from "@skillwright/workspace";
import { Agent, FunctionTool, type JSONSchema, type ToolContext } from "@strands-agents/sdk";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";

const skills = skillBox({ own: fsRepository({ root: `${import.meta.dirname}/../skills` }) });
const workspaces = workspaceManager({ skills, runtime: localRuntime(), destroyOnClose: true });
const context = () => ({ session: { app: "counting", user: "ada", session: "1" }, state: {} });
const prompt = injector().enhanceSystemPrompt("Help.", { snapshot: await skills.snapshot(), state: {} });
const own = callableTools(skillTools({ skills, workspaces }), { context });

const tools = own.map(({ name, description, inputSchema, execute }) => {
  const callback = (input: unknown, { toolUse, cancelSignal: signal }: ToolContext) =>
    execute(input, { callId: toolUse.toolUseId, signal });
  return new FunctionTool({ name, description, inputSchema: inputSchema as JSONSchema, callback });
});
const model = new OpenAIModel({ modelId: "gpt-5-mini" });
const agent = new Agent({ model, systemPrompt: prompt, tools, printer: false });
console.log(String(await agent.invoke("How many words are in: to be or not to be?")));
await workspaces.close();
