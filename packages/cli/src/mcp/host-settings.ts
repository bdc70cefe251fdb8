import { resolve } from "node:path";
import type { CheckedAgentConfig, LoadedConfiguration } from "@skillwright/config";
import type { SkillServerOptions } from "@skillwright/mcp";
import { commandPolicy } from "@skillwright/tools";
import { configuredOverview } from "../serve/configured-overview.js";
import type { McpFlags } from "./serve-host.js";

/** Returns the server's settings from `agent.skillTools` and `agent.overview` of the configuration. */
export function hostSettings(
  { isolation, files = [], http, issuer }: Pick<McpFlags, "isolation" | "files" | "http" | "issuer">,
  { configuration }: LoadedConfiguration,
  { skillTools: checked, sandbox, workspaces }: CheckedAgentConfig,
  cwd: string,
): Partial<SkillServerOptions> {
  const { search, interactive, preApproved, requireLoad, saveOutputs, maxResultCharacters, commands } =
    checked;
  const wantsNone = (isolation ?? sandbox.isolation) === "none";
  // A person who named folders has already said which files runs may read. Clients over HTTP may be on another machine.
  const asksForFolders = !http && files.length === 0 && !workspaces.hostInputRoots?.length;
  return {
    ...{ search, interactive, preApproved, requireLoad, saveOutputs, maxResultCharacters },
    calls: checked.calls !== false,
    policy: commands && commandPolicy(commands as Parameters<typeof commandPolicy>[0]),
    // A person who wrote `--isolation none` has already agreed to it.
    mustAsk: ({ isolation: inForce }) => inForce.level === "none" && !wantsNone,
    overview: configuredOverview(configuration),
    roots: asksForFolders,
    instructions: instructions(
      files.map((folder) => resolve(cwd, folder)),
      asksForFolders,
      issuer === undefined,
    ),
    approvalRemedy:
      "Use a host that shows questions of its servers (elicitation). A folder that is named with --skills where the host starts `skillwright mcp` is trusted and not asked about; a sandbox such as bubblewrap saves the question about commands without isolation.",
  };
}

function instructions(files: readonly string[], asksForFolders: boolean, linksSaved: boolean): string {
  const folders = files.join(", ");
  const inputs = asksForFolders
    ? `Commands see no files of the user. Bring them in as inputs of skill_run, with "from": "host:///absolute/path"; the user is asked whether files of the open folders may be read.`
    : folders === ""
      ? "Commands see no files of the user; write what they need with workspace_write."
      : `Commands see no files of the user. Bring them in as inputs of skill_run, with "from": "host:///absolute/path"; allowed below: ${folders}.`;
  return `## Files\n\n${inputs} The workspace ends with this session: files that the user should keep are saved with "outputs": {"save": true}${linksSaved ? ", and the result links them" : ""}.`;
}
