import { readFile } from "node:fs/promises";
import { createAgent } from "@skillwright/agent";

const config = JSON.parse(await readFile("agent.json", "utf8"));
const agent = await createAgent(config, {
  templates: {
    assistant: { systemPrompt: "You are a helpful assistant.", tools: ["Read", "Write", "Bash"] },
  },
});
await agent.upload("chapter.txt", "Ada sails.\nAda returns.\n");
const result = await agent.chat("Check this chapter for contradictions");
console.log(result.finish, result.artifacts.map(({ name }) => name).join()); // answered out/names.txt
await agent.close();
