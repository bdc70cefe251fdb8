// Makes an agent's workspace and waits to be killed. Arguments: the runtime's root, and a session's name or nothing.
import { createAgent } from "@skillwright/agent";

const [root, session] = process.argv.slice(2);
const agent = await createAgent({
  modelConfig: { provider: "offline", model: "planner" },
  sandbox: { isolation: "none", root },
  ...(session && { session: { app: "test", user: "u", session } }),
});
await agent.upload("a.txt", "a");
console.log("ready");
setInterval(() => undefined, 60_000);
