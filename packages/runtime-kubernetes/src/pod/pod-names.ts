import { createHash } from "node:crypto";
import { type Diagnostic, SkillError } from "@skillwright/core";

export const DOMAIN = "skillwright.dev";

export const ANNOTATIONS = {
  id: `${DOMAIN}/id`,
  format: `${DOMAIN}/format-version`,
  settings: `${DOMAIN}/settings`,
  measured: `${DOMAIN}/measured`,
  staged: `${DOMAIN}/staged-`,
  note: `${DOMAIN}/note-`,
  creation: `${DOMAIN}/creation`,
  /** On a pod: the UID of its claim. */
  claim: `${DOMAIN}/claim`,
  /** On a claim: the name and the UID of its pod. */
  pod: `${DOMAIN}/pod`,
  /** On the claim of a paused workspace: what its pod had recorded. */
  paused: `${DOMAIN}/paused`,
  removed: `${DOMAIN}/removed-`,
} as const;

export const LABELS = {
  managed: "app.kubernetes.io/managed-by",
  workspace: `${DOMAIN}/workspace`,
  network: `${DOMAIN}/network`,
  owner: `${DOMAIN}/owner`,
} as const;

export const MANAGER = "skillwright";
export const FORMAT_VERSION = "1";

/** Containers of the pod of a workspace. */
export const CONTAINERS = { work: "work", files: "files", recorder: "recorder" } as const;

/** Root of a workspace, in every container that sees it. */
export const ROOT = "/workspace";
export const PROGRAMS = "/skillwright";
export const SUPERVISOR = `${PROGRAMS}/supervisor`;
export const RECORDS = "/records";

/** Hashed, because an id may contain characters, and have a length, that names in Kubernetes may not. Ids and owners contain no slash. */
export function podName(id: string, owner: string | undefined): string {
  return `skillwright-${shortHash(owner === undefined ? id : `${owner}/${id}`)}`;
}

/** The labels of all objects of this owner. Without an owner, the labels of all objects that have none. */
export function ownerLabels(owner: string | undefined): Readonly<Record<string, string>> {
  return { [LABELS.managed]: MANAGER, ...(owner !== undefined && { [LABELS.owner]: owner }) };
}

/** What says on a pod which workspace it is. */
export function podRecordOf({
  id,
  owner,
  network,
  creation,
  measured,
}: {
  readonly id: string;
  readonly owner: string | undefined;
  readonly network: boolean;
  readonly creation: string;
  readonly measured?: Readonly<Record<string, string>> | undefined;
}) {
  return {
    labels: {
      ...ownerLabels(owner),
      [LABELS.workspace]: shortHash(id),
      [LABELS.network]: network ? "open" : "none",
    },
    annotations: {
      [ANNOTATIONS.id]: id,
      [ANNOTATIONS.format]: FORMAT_VERSION,
      [ANNOTATIONS.creation]: creation,
      ...measured,
    },
  };
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

/** @param end What ended its pod. */
export function workspaceNotFound(id: string, end?: Diagnostic): SkillError {
  const why = end ? `${end.message} ${end.hint}` : "Its pod was removed or has ended. Create a new one.";
  return new SkillError("WORKSPACE_NOT_FOUND", `There is no workspace ${id} any more. ${why}`, {
    details: { workspaceId: id, ...(end && { reason: end.code }) },
  });
}
