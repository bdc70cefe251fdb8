export type {
  Agent,
  AgentDependencies,
  ChatFinish,
  ChatOptions,
  ChatResult,
  ResumableTurn,
} from "./agent/agent.js";
export type { AgentConfig, ModelConfig, SandboxConfig } from "./agent/agent-config.js";
export type { AgentEvent, AgentEventListener } from "./agent/agent-event.js";
export type { AgentProfile, ProfileText } from "./agent/agent-profile.js";
export type { AgentTemplate } from "./agent/agent-template.js";
export { applicationNamespace } from "./agent/application-namespace.js";
export { catalogDiagnostics } from "./agent/catalog-diagnostics.js";
export { type Agents, createAgent, createAgents } from "./agent/create-agent.js";
export { type DefaultRuntimeOptions, defaultRuntime, type ImagePull } from "./agent/default-runtime.js";
export { forgetSession } from "./agent/pending-uploads.js";
export { type ProfileFilesOptions, type ProjectProfile, profileFiles } from "./agent/profile-files.js";
export { openRunKeys } from "./loop/call-key.js";
export { checkModelKey } from "./models/model-key.js";
export { configuredEnvironment } from "./skills/configured-environment.js";
export { type PlaceCatalogOptions, placeCatalog } from "./skills/place-catalog.js";
export {
  type RememberedTrust,
  type RememberedTrustOptions,
  rememberedTrust,
} from "./skills/remembered-trust.js";
