import { agentServer } from "@skillwright/server";

export const server = agentServer({
  agents: { assistant: { modelConfig: { provider: "offline", model: "offline planner" } } },
});
