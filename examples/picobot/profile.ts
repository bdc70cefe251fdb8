import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, profileFiles } from "@skillwright/agent";

const home = await mkdtemp(join(tmpdir(), "home-"));
const agent = await createAgent(
  {
    modelConfig: { provider: "offline", model: "offline planner" },
    sandbox: { isolation: "auto" },
    agentPromptReinjectEvery: 100,
  },
  { profile: profileFiles({ home }) },
);
await agent.chat("Hello");
console.log((await readFile(join(home, ".skillwright/agent/AGENT.md"), "utf8")).length > 0); // true
await agent.close();
