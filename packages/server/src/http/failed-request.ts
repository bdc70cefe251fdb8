import { randomUUID } from "node:crypto";
import type { AgentServerOptions } from "../server-options.js";
import { tellFailure } from "../tell-failure.js";
import { isServerFailure, problemOf } from "./problem.js";

/** Returns the answer for a thrown error, and tells the operator of it unless it is the client's mistake. */
export function failedAnswer(
  error: unknown,
  { method, url }: Request,
  onError: AgentServerOptions["onError"],
): Response {
  if (!isServerFailure(error)) return problemOf(error);
  const failed = { requestId: randomUUID(), method, path: new URL(url).pathname };
  tellFailure(error, failed, onError);
  return problemOf(error, failed.requestId);
}
