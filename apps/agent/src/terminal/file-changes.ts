import type { ApprovalChange } from "@skillwright/core";
import { lineChanges } from "@skillwright/runtime-local";

/** The path of a changed file, then its removed and added lines with two lines of context. Nothing is escaped. */
export function fileChangeLines({ path, change, before, after }: ApprovalChange): readonly string[] {
  const head = `${change.padEnd(8)} ${path}`;
  const old = change === "added" ? "" : before;
  const fresh = change === "removed" ? "" : after;
  if (old === undefined && fresh === undefined) return [head, "  is not text, or too long to be shown"];
  return [head, ...lineChanges(old ?? "", fresh ?? "").map((line) => `  ${line}`)];
}
