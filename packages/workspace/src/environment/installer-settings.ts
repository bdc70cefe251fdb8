import { homedir } from "node:os";
import type { EnvironmentKind } from "./environment-need.js";
import { type InstallerHost, type InstallerSettings, secretAddress } from "./installer-host.js";
import { npmSettings } from "./npm-settings.js";
import { pipSettings } from "./pip-settings.js";

const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/** Reads the configuration of pip or npm on this machine. */
export async function installerSettings(
  kind: EnvironmentKind,
  host: InstallerHost = { env: process.env, home: homedir() },
): Promise<InstallerSettings> {
  const own = await (kind === "python" ? pipSettings(host) : npmSettings(host));
  return { ...own, variables: { ...proxies(host), ...own.variables } };
}

function proxies({ env }: InstallerHost): InstallerSettings["variables"] {
  const set = PROXIES.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === "" ? [] : [[name, secretAddress(value)] as const];
  });
  return Object.fromEntries(set);
}
