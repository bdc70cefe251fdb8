import { MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { injector } from "@skillwright/injector";
import { fsRepository } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { skillTools } from "@skillwright/tools";
import { langChainTools } from "@skillwright/tools/langchain";
import { workspaceManager } from "@skillwright/workspace";
import { initChatModel, tool } from "langchain";

const skills = skillBox({ own: fsRepository({ root: `${import.meta.dirname}/../skills` }) });
const workspaces = workspaceManager({ skills, runtime: localRuntime(), destroyOnClose: true });
const context = () => ({ session: { app: "counting", user: "ada", session: "1" }, state: {} });
const prompt = injector().enhanceSystemPrompt("Help.", { snapshot: await skills.snapshot(), state: {} });
const tools = langChainTools(skillTools({ skills, workspaces }), { context, make: (run, o) => tool(run, o) });

const model = (await initChatModel("openai:gpt-5-mini")).bindTools(tools);
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async (at) => ({ messages: await model.invoke([["system", prompt], ...at.messages]) }))
  .addNode("tools", new ToolNode(tools))
  .addEdge(START, "model")
  .addConditionalEdges("model", toolsCondition)
  .addEdge("tools", "model");
const end = await graph.compile().invoke({ messages: ["How many words are in: to be or not to be?"] });
console.log(end.messages.at(-1)?.text);
await workspaces.close();
