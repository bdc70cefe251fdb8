import { injector } from "@skillwright/injector";
import { fsRepository } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { callableTools, skillTools } from "@skillwright/tools";
import { workspaceManager } from "@skillwright/workspace";
import { Agent, createTool } from "@voltagent/core";
import { z } from "zod";

const skills = skillBox({ own: fsRepository({ root: `${import.meta.dirname}/../skills` }) });
const workspaces = workspaceManager({ skills, runtime: localRuntime(), destroyOnClose: true });
const context = () => ({ session: { app: "counting", user: "ada", session: "1" }, state: {} });
const prompt = injector().enhanceSystemPrompt("Help.", { snapshot: await skills.snapshot(), state: {} });
const own = callableTools(skillTools({ skills, workspaces }), { context });

const tools = own.map(({ name, description, inputSchema, execute }) =>
  createTool({
    ...{ name, description, parameters: z.any().meta(inputSchema) },
    execute: (input, at) =>
      execute(input, { callId: at?.toolContext?.callId, signal: at?.abortController?.signal }),
  }),
);
const agent = new Agent({ name: "counter", model: "openai/gpt-5-mini", instructions: prompt, tools });
console.log((await agent.generateText("How many words are in: to be or not to be?")).text);
await workspaces.close();
process.exit(); // Timers of VoltAgent's observability would keep the program alive.
