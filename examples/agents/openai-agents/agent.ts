import { Agent, run, tool } from "@openai/agents";
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

const tools = own.map(({ name, description, inputSchema, execute }) =>
  tool({
    ...{ name, description, strict: false, parameters: inputSchema as never },
    execute: (input, _, call) => execute(input, { callId: call?.toolCall?.callId, signal: call?.signal }),
  }),
);
const agent = new Agent({ name: "counter", model: "gpt-5-mini", instructions: prompt, tools });
const { finalOutput } = await run(agent, "How many words are in: to be or not to be?");
console.log(finalOutput);
await workspaces.close();
