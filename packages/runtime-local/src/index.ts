export { lineChanges } from "./host-folder/line-changes.js";
export { localRuntime } from "./local-runtime.js";
export type { LocalRuntimeOptions } from "./local-runtime-options.js";
export { localRoots } from "./storage/runtime-root.js";
