import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The standard cache directory of this user on this system. */
export function cacheDirectory(
  environment: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
): string {
  return join(userCache(environment, platform), "skillwright", "git");
}

function userCache(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const named = platform === "win32" ? environment["LOCALAPPDATA"] : environment["XDG_CACHE_HOME"];
  if (named && isAbsolute(named)) return named;
  if (platform === "win32") return join(homedir(), "AppData", "Local");
  return platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
}
