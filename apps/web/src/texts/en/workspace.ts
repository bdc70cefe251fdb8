import { counted } from "../plural-forms.js";

export const workspace = {
  title: "Workspaces",
  count: counted({ one: "# workspace", other: "# workspaces" }),
  noPolicies: "No policy pauses or destroys workspaces; they stay until their conversation is deleted.",
  policies: (policies: string) => `Policies: ${policies}.`,
  policy: (action: string, conditions: readonly string[]) => `${action} when ${conditions.join(" and ")}`,
  none: "No conversation has needed a workspace yet. An upload or a command creates one.",
  created: (ago: string) => `created ${ago}`,
  used: (ago: string) => `used ${ago}`,
  states: { ready: "ready", paused: "paused", destroying: "destroying" },
  openConversation: "Open the conversation",
  pause: "Pause until its next use",
  destroy: "Destroy the workspace",
  askDestroy: "Destroy it with its files and commands? Artifacts stay.",
  confirmDestroy: "Destroy",
  keep: "Keep",
  places: { files: "Uploads and outputs", skills: "Staged skills", work: "Scratch" },
  filesWithSize: (files: string, size: string) => `${files}, ${size}`,
  empty: "Nothing is here.",
};
