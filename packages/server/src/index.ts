export { agentServer } from "./agent-server.js";
export type { Conversation, TokenUsage } from "./conversations/conversation.js";
export type { RequestLimiter } from "./http/request-limit.js";
export {
  type LogFields,
  type LoggedError,
  type LogLevel,
  loggedError,
  type ServerLog,
  textLog,
} from "./log/server-log.js";
export type { TurnJobOptions, TurnQueue, TurnWork } from "./queues/turn-queue.js";
export type {
  AgentServer,
  AgentServerOptions,
  Authenticate,
  Retention,
  ServedAgent,
  ServerUser,
} from "./server-options.js";
export type { ApprovalData, ArtifactData, RunData, StepData, TurnDataParts } from "./turns/data-parts.js";
