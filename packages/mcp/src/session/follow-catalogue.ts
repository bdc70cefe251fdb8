import type { McpServer, RegisteredTool } from "@modelcontextprotocol/server";
import type { CatalogSnapshot, Closable } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { injector } from "@skillwright/injector";
import type { SkillServerOptions } from "../skill-server-options.js";

type Tools = ReadonlyMap<string, RegisteredTool>;

const MAX_CHARACTERS = 400;

/** Adds the names of the skills to the description of `skill_list`, for hosts that do not show the server's instructions to the model. */
export function nameSkills(tools: Tools, snapshot: CatalogSnapshot): void {
  const list = tools.get("skill_list");
  if (list) list.description = `${list.description} ${namesLine(snapshot)}`;
}

/**
 * Tells the client about every change of the catalogue: that the resources changed, and that the tools changed if the names of
 * the skills did. Close the returned handle to stop.
 */
export function followCatalogue(
  server: McpServer,
  tools: Tools,
  { skills }: Pick<SkillServerOptions, "skills">,
): Closable {
  const list = tools.get("skill_list");
  return skills.subscribe(() => {
    if (!server.isConnected()) return;
    server.sendResourceListChanged();
    // If the catalogue cannot be read now, its next change reads it again.
    void skills.snapshot().then(
      (snapshot) => {
        const line = namesLine(snapshot);
        const description = (list?.description ?? "").replace(NAMES, line);
        if (list && server.isConnected() && description !== list.description) list.update({ description });
      },
      () => undefined,
    );
  });
}

const NAMES = /(?:Now there are:|There are none now\.).*$/s;

function namesLine(snapshot: CatalogSnapshot): string {
  const names = injector().getActiveSkillNames({ snapshot });
  if (names.length === 0) return "There are none now.";
  let text = "Now there are:";
  for (const [at, given] of names.entries()) {
    const name = shownLine(given);
    if (text.length + name.length > MAX_CHARACTERS) return `${text} and ${names.length - at} more.`;
    text += `${at === 0 ? " " : ", "}${name}`;
  }
  return `${text}.`;
}
