import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname } from "node:path";
import { cacheDirectory, cacheHome, root } from "./root.mjs";

/**
 * The environment of the tools that prepare, build and test: the user's own, without telemetry or prompts, with
 * caches in the checkout if the home directory is read-only, and `pnpm` on the PATH (turbo starts it).
 *
 * @param {string} [pnpmDirectory] the directory of the pnpm to use
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment(pnpmDirectory) {
  const path = [pnpmDirectory, `${root}/node_modules/.bin`, process.env.PATH, dirname(process.execPath)];
  const own = { ...process.env, ...(homeIsWritable() ? {} : cachesInCheckout()) };
  return {
    ...own,
    // Outside of the checkout, so that the next clone of the same sources finds what this one built and tested.
    TURBO_CACHE_DIR: `${cacheHome(own)}/skillwright/turbo`,
    PATH: path.filter(Boolean).join(delimiter),
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    npm_config_update_notifier: "false",
    // A production setting of the shell would omit the build tools.
    NODE_ENV: process.env.NODE_ENV === "production" ? "" : process.env.NODE_ENV,
  };
}

function homeIsWritable() {
  try {
    accessSync(homedir(), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function cachesInCheckout() {
  const home = `${cacheDirectory}/home`;
  mkdirSync(home, { recursive: true });
  return {
    HOME: home,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_DATA_HOME: `${home}/data`,
    XDG_STATE_HOME: `${home}/state`,
    npm_config_cache: `${home}/npm`,
  };
}
