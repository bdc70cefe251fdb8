export type { HostEndpoint, HostEndpointOptions } from "./http/host-endpoint.js";
export type { HostUser, UserEndpoint, UserEndpointOptions, UserParts } from "./http/user-endpoint.js";
export { type HostStreams, type SkillServer, skillServer } from "./skill-server.js";
export type { SkillServerOptions } from "./skill-server-options.js";
