export { destroyWhenIdle, type WorkspacePolicy } from "./policy/workspace-policy.js";
export { type WorkspaceManagerOptions, workspaceManager } from "./workspace-manager.js";
