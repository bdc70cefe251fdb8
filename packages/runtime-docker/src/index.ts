export { type DockerRuntime, dockerRuntime } from "./docker-runtime.js";
export type { DockerRuntimeOptions } from "./docker-runtime-options.js";
export type { EngineAddress, TlsFiles } from "./engine/engine-address.js";
export type { HandedClient } from "./engine/handed-client.js";
export { DEFAULT_IMAGE } from "./image/ensure-image.js";
export type { PullProgress, RegistryCredentials } from "./image/image-options.js";
