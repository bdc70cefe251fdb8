import type { McpServer, RegisteredTool } from "@modelcontextprotocol/server";
import type { CatalogSnapshot, Closable } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { injector } from "@skillwright/injector";
import type { SkillServerOptions } from "../skill-server-options.js";

type Tools = ReadonlyMap<string, RegisteredTool>;

const MAX_CHARACTERS = 400;

/** Names the skills in the description of `skill_list`, for hosts that show a model no instructions of the server. */
export function nameSkills(tools: Tools, snapshot: CatalogSnapshot): void {
  const list = tools.get("skill_list");
  if (list) list.description = `${list.description} ${namesLine(snapshot)}`;
}

/**
 * Tells the client of every change of the catalogue: of the resources, and of the tools where the named skills changed. Close
 * the returned handle to stop.
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
    // A catalogue that cannot be read now is read again at its next change.
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
