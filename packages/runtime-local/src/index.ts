export { type LocalRuntimeOptions, localRuntime } from "./local-runtime.js";
