import type { Diagnostic, SessionScope } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { counted } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import type { Style } from "../terminal/style.js";
import type { ListedWorkspaces } from "./list-workspaces.js";

/** A line for each workspace, then the damaged ones with their remedy, what was put in order, and the counts. */
export function workspacesText(
  { workspaces, damaged, swept }: ListedWorkspaces,
  style: Style,
): readonly string[] {
  const width = Math.max(0, ...workspaces.map(({ id }) => id.length));
  const lines = workspaces.map(({ id, createdAt, session }) =>
    `${style.bold(id.padEnd(width))}  ${style.dim(createdAt)}  ${session ? sessionText(session) : ""}`.trimEnd(),
  );
  const counts = [counted(workspaces.length, "workspace")];
  if (damaged.length > 0) counts.push(`${damaged.length} damaged`);
  const sections = [...section("Damaged", damaged, style), ...section("Cleaned up", swept, style)];
  return [...lines, ...sections, "", counts.join(", ")];
}

function section(title: string, diagnostics: readonly Diagnostic[], style: Style): readonly string[] {
  if (diagnostics.length === 0) return [];
  return ["", style.bold(title), ...diagnostics.flatMap((diagnostic) => diagnosticLines(diagnostic, style))];
}

function sessionText({ app, user, session }: SessionScope): string {
  return [app, user, session].map((part) => shownLine(part)).join("/");
}
