export { localRuntime } from "./local-runtime.js";
export type { LocalRuntimeOptions } from "./local-runtime-options.js";
