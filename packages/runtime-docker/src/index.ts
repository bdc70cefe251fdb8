export { type DockerRuntime, dockerRuntime } from "./docker-runtime.js";
export type { DockerRuntimeOptions } from "./docker-runtime-options.js";
export type { EngineAddress, TlsFiles } from "./engine/engine-address.js";
export type { HandedClient } from "./engine/handed-client.js";
export { DEFAULT_IMAGE, type PullProgress, type RegistryCredentials } from "./image/image-options.js";
