import type { ArtifactScope, ArtifactStore } from "@skillwright/core";
import { readText } from "@skillwright/core";
import type { ContractPromise } from "../contract.js";

export interface ArtifactSubject {
  readonly artifacts: ArtifactStore;
}

export type ArtifactPromise = ContractPromise<ArtifactSubject>;

export const SCOPE: ArtifactScope = { app: "contract", user: "ada", session: "one" };

/** Reads one version's content as text. The promise fails where it cannot be opened. */
export async function textOf(
  artifacts: ArtifactStore,
  name: string,
  version?: number,
  scope: ArtifactScope = SCOPE,
): Promise<string> {
  const { content } = await artifacts.open(scope, name, { version });
  return await readText(content, 1_000_000);
}
