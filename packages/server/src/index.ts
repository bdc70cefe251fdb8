export { agentServer } from "./agent-server.js";
export type { Conversation, TokenUsage } from "./conversations/conversation.js";
export type {
  AgentServer,
  AgentServerOptions,
  Authenticate,
  ServedAgent,
  ServerUser,
} from "./server-options.js";
export type { ArtifactData, RunData, StepData, TurnDataParts } from "./turns/data-parts.js";
export { memoryTurns } from "./turns/memory-turns.js";
export type { TurnEvent, TurnKey, TurnLease, TurnRecord, TurnStore } from "./turns/turn-store.js";
