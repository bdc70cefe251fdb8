export type { paths as ServerPaths } from "./client/server-paths.generated.js";
export { type TurnTransport, type TurnTransportOptions, turnTransport } from "./client/turn-transport.js";
export type { ApprovalData, ArtifactData, RunData, StepData, TurnDataParts } from "./turns/data-parts.js";
export type { UiChunk } from "./turns/ui-chunks.js";
