import type { TurnKey } from "@skillwright/core/adapter";
import type { TurnPaths } from "./chunk-writer.js";

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
