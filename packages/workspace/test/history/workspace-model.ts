import type { Model } from "./explained.js";

/** One session's workspace, as with a single process and one call at a time. */
export type WorkspaceState = "absent" | "half destroyed" | { readonly log: string; readonly uploads: number };

export const workspaceModel: Model<WorkspaceState> = (state, { kind, name, result }) => {
  const isKilled = result === undefined;
  const gives = (given: string, next: WorkspaceState) => (isKilled || given === result ? [next] : []);
  if (kind === "open") return gives("ok", typeof state === "string" ? { log: "", uploads: 0 } : state);
  if (kind === "destroy" && state === "half destroyed")
    // A sweep may have been faster, and reports to no caller.
    return [...gives("true", "absent"), ...gives("false", "absent")];
  if (kind === "destroy" && isKilled && typeof state !== "string") return ["half destroyed", "absent"];
  if (kind === "destroy") return gives(String(typeof state !== "string"), "absent");
  if (typeof state === "string") return gives("gone", state);
  const { log, uploads } = state;
  if (kind === "append") {
    const longer = `${log} ${name}`.trim();
    return gives(longer, { log: longer, uploads });
  }
  if (kind === "upload")
    return gives(uploads === 0 ? "f.txt" : `f_${uploads + 1}.txt`, { log, uploads: uploads + 1 });
  return gives(String(uploads), state);
};
