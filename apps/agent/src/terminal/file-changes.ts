import type { ApprovalChange } from "@skillwright/core";
import { lineChanges } from "@skillwright/runtime-local";

/** What changes in a file: its path, then each line that goes or comes, with two lines around it. Nothing is escaped. */
export function fileChangeLines({ path, change, before, after }: ApprovalChange): readonly string[] {
  const head = `${change.padEnd(8)} ${path}`;
  const old = change === "added" ? "" : before;
  const fresh = change === "removed" ? "" : after;
  if (old === undefined && fresh === undefined) return [head, "  is not text, or too long to be shown"];
  return [head, ...lineChanges(old ?? "", fresh ?? "").map((line) => `  ${line}`)];
}
