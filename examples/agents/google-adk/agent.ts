import * as adk from "@google/adk";
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

const tools = own.map(({ name, description, inputSchema: parametersJsonSchema, execute }) => {
  const run = (input: unknown, call?: adk.Context) =>
    execute(input, { callId: call?.functionCallId, signal: call?.abortSignal });
  const tool = new adk.FunctionTool({ name, description, execute: run });
  // The tool itself takes no JSON Schema, but its declaration does.
  return Object.assign(tool, { _getDeclaration: () => ({ name, description, parametersJsonSchema }) });
});
const named = { name: "counter", model: "gemini-2.5-flash" };
const agent = new adk.LlmAgent({ ...named, instruction: () => prompt, tools });
const newMessage = { role: "user", parts: [{ text: "How many words are in: to be or not to be?" }] };
for await (const event of new adk.InMemoryRunner({ agent }).runEphemeral({ userId: "ada", newMessage }))
  if (adk.isFinalResponse(event)) console.log(adk.stringifyContent(event));
await workspaces.close();
