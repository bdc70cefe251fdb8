import type { SkillRepository } from "@skillwright/core";
import { importPeer } from "../clients/import-peer.js";
import { absoluteCommand } from "./absolute-source.js";
import type { OpenSourceOptions } from "./open-skill-source.js";
import type { SkillSource } from "./skill-source.js";

/**
 * The skills of an MCP server. Nothing is started or contacted before the first call.
 * @throws SkillError `UNSUPPORTED` without `@skillwright/repository-mcp`; `CONFIG_INVALID` for an address that is not allowed.
 */
export async function mcpSourceRepository(
  source: SkillSource & { kind: "mcp" },
  { cwd, clients, environment }: OpenSourceOptions,
): Promise<SkillRepository> {
  const { mcpRepository } = await importPeer(
    "@skillwright/repository-mcp",
    "An MCP server",
    () => import("@skillwright/repository-mcp"),
  );
  if ("command" in source)
    return mcpRepository({ server: { command: absoluteCommand(source.command, cwd), environment } });
  const { url } = source;
  const { allowHttp, allowPrivate, remedy, headers } = clients.http(url);
  const isHere = URL.canParse(url) && OWN_HOSTS.has(new URL(url).hostname);
  const { checkedFetch } = await import("@skillwright/repository-http");
  const fetch = checkedFetch({
    url,
    allowHttp: allowHttp || isHere,
    allowPrivate: allowPrivate || isHere,
    remedy,
  });
  return mcpRepository({ server: { url, fetch, headers } });
}

/** This machine may be contacted without being named in a variable, because that is where servers of a person listen. */
const OWN_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);
