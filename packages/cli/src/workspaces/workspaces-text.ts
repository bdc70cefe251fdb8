import { type SessionScope, shownLine } from "@skillwright/core";
import { counted } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import type { Style } from "../terminal/style.js";
import type { ListedWorkspaces } from "./list-workspaces.js";

/** A line for each workspace, then the damaged ones with their remedy, then the counts. */
export function workspacesText({ workspaces, damaged }: ListedWorkspaces, style: Style): readonly string[] {
  const width = Math.max(0, ...workspaces.map(({ id }) => id.length));
  const lines = workspaces.map(({ id, createdAt, session }) =>
    `${style.bold(id.padEnd(width))}  ${style.dim(createdAt)}  ${session ? sessionText(session) : ""}`.trimEnd(),
  );
  const counts = [counted(workspaces.length, "workspace")];
  if (damaged.length > 0) counts.push(`${damaged.length} damaged`);
  const findings = damaged.flatMap((diagnostic) => diagnosticLines(diagnostic, style));
  const title = findings.length > 0 ? ["", style.bold("Damaged")] : [];
  return [...lines, ...title, ...findings, "", counts.join(", ")];
}

function sessionText({ app, user, session }: SessionScope): string {
  return [app, user, session].map((part) => shownLine(part)).join("/");
}
