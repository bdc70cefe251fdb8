import type { McpServer, RegisteredTool } from "@modelcontextprotocol/server";
import type { SkillServerOptions } from "../skill-server-options.js";

const MAX_CHARACTERS = 400;

/**
 * Names the skills in the description of `skill_list`, for hosts that show a model no instructions of the server, and
 * tells the client of every change of the catalogue: of the resources, and of the tools where those names changed. Returns
 * what ends this.
 */
export async function followCatalogue(
  server: McpServer,
  tools: ReadonlyMap<string, RegisteredTool>,
  { skills }: Pick<SkillServerOptions, "skills">,
): Promise<() => Promise<void>> {
  const list = tools.get("skill_list");
  const described = list?.description ?? "";
  const namesNow = async () => {
    const { skills: all } = await skills.snapshot();
    return `${described} ${namesLine(all.map(({ name }) => name))}`;
  };
  if (list) list.description = await namesNow();
  const watching = skills.subscribe(() => {
    if (!server.isConnected()) return;
    server.sendResourceListChanged();
    // A catalogue that cannot be read now is read again at its next change.
    void namesNow().then(
      (description) => {
        if (list && server.isConnected() && description !== list.description) list.update({ description });
      },
      () => undefined,
    );
  });
  return () => watching.close();
}

function namesLine(names: readonly string[]): string {
  if (names.length === 0) return "There are none now.";
  let text = "Now there are:";
  for (const [at, name] of names.entries()) {
    if (text.length + name.length > MAX_CHARACTERS) return `${text} and ${names.length - at} more.`;
    text += `${at === 0 ? " " : ", "}${name}`;
  }
  return `${text}.`;
}
