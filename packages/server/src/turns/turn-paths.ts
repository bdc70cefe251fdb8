import type { TurnKey } from "@skillwright/records";
import type { TurnPaths } from "./chunk-writer.js";

/** Path of a turn's stream. */
export function streamPath(basePath: string, { scope, turn }: TurnKey): string {
  return `${basePath}/conversations/${encodeURIComponent(scope.session)}/turns/${turn}/stream`;
}

/** Paths of what belongs to a turn. */
export function turnPaths(basePath: string, { scope, turn }: TurnKey): TurnPaths {
  const conversation = `${basePath}/conversations/${encodeURIComponent(scope.session)}`;
  return {
    output: (callId) => `${conversation}/turns/${turn}/runs/${encodeURIComponent(callId)}`,
    artifact: ({ name, version }) =>
      `${conversation}/artifacts/content?${new URLSearchParams({ name, version: String(version) })}`,
    decide: (approvalId) => `${conversation}/approvals/${approvalId}`,
  };
}
