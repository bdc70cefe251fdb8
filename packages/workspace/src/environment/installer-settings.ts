import { homedir } from "node:os";
import type { EnvironmentKind } from "./environment-need.js";
import { type InstallerHost, type InstallerSettings, secretAddress } from "./installer-host.js";
import { npmSettings } from "./npm-settings.js";
import { pipSettings } from "./pip-settings.js";
import { uvSettings } from "./uv-settings.js";

const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/** Reads the configuration of pip and uv, or of npm, on this machine. */
export async function installerSettings(
  kind: EnvironmentKind,
  host: InstallerHost = { env: process.env, home: homedir() },
): Promise<InstallerSettings> {
  if (kind === "ruby") return OFFLINE;
  const own = await (kind === "python" ? pythonSettings(host) : npmSettings(host));
  return { ...own, variables: { ...proxies(host), ...own.variables } };
}

/** Gems are files of the skill. */
const OFFLINE: InstallerSettings = { variables: {}, files: {}, wheelFolders: [], offline: true };

/** Only where commands run is it known whether uv or pip installs, so the variables of both are set. */
async function pythonSettings(host: InstallerHost): Promise<InstallerSettings> {
  const pip = await pipSettings(host);
  return { ...pip, variables: { ...pip.variables, ...(await uvSettings(host, pip)) } };
}

function proxies({ env }: InstallerHost): InstallerSettings["variables"] {
  const set = PROXIES.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === "" ? [] : [[name, secretAddress(value)] as const];
  });
  return Object.fromEntries(set);
}
