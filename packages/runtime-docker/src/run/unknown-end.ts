import { SkillError } from "@skillwright/core";
import type { TreeEnd } from "./end-run.js";

export function isOver(end: TreeEnd["end"]): boolean {
  return end !== "left" && end !== "unknown";
}

/** The error of a run whose end nobody knows. */
export function endUnknown(why: string, end: TreeEnd["end"], cause?: unknown): SkillError {
  const rest = isOver(end) ? "None of its processes is left" : "It may still be running";
  return new SkillError(
    "BACKEND_FAILED",
    `It is unknown how the command ended: ${why}; the engine may have been restarted meanwhile. ${rest}, and what it did until ` +
      "then remains. Check its outputs before you run it again.",
    { cause, details: { treeEnded: isOver(end) } },
  );
}
