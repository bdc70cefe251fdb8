import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import type { CallOptions, Diagnostic } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { Environment } from "../clients/s3-client.js";
import { inHome } from "../places/in-home.js";
import type { LoadedConfiguration, ReadConfigurationFile } from "./configuration.js";
import type { ConfigurationFile } from "./configuration-file.js";
import { environmentConfiguration } from "./environment-configuration.js";
import { type FoundFile, findInHome, findUpwards, namedFile } from "./find-files.js";
import { harmlessPart } from "./harmless-part.js";
import { type ConfigurationLayer, mergedConfiguration } from "./merged-configuration.js";
import { readConfigurationFile, readStrangersFile } from "./read-configuration-file.js";

export interface LoadConfigurationOptions extends CallOptions {
  /** Absolute. The project's file is the nearest one from here upwards, below the home directory. */
  readonly cwd: string;
  readonly env: Environment;
  /** Absolute; the home file is in its `.skillwright`. Defaults to `HOME` or `USERPROFILE` of `env`. */
  readonly home?: string | undefined;
}

/**
 * Loads the effective configuration: variables `SKILLWRIGHT_…` override the project's `skillwright.config.{ts,json}`,
 * which overrides `~/.skillwright/skillwright.config.{ts,json}`. A file named by `SKILLWRIGHT_CONFIG` replaces the
 * project's.
 *
 * A user who clones a project has not read its file. Until the home file lists the project under `trusted_projects`, no
 * program is run, only folders of the project are used as repositories and are untrusted, nothing in it affects a
 * skill's runs or widens what the home file allows, and invalid values are left out; each is reported. A file named
 * explicitly is used completely.
 *
 * @throws SkillError `CONFIG_INVALID` naming the file and each wrong field, except for the file of an untrusted
 * project; `FILE_NOT_FOUND` for a missing named file; `UNSUPPORTED` for a `.ts` file on a Node version that cannot read
 * it where `jiti` is not installed.
 */
export async function loadConfiguration(options: LoadConfigurationOptions): Promise<LoadedConfiguration> {
  const { cwd, env, home = env["HOME"] ?? env["USERPROFILE"], signal } = options;
  const diagnostics: Diagnostic[] = [];
  const files: ReadConfigurationFile[] = [];
  const layers: ConfigurationLayer[] = [];

  const homes = home === undefined ? undefined : await readFirst(await findInHome(home), "home");
  checkAborted(signal);
  const named = env["SKILLWRIGHT_CONFIG"] || undefined;
  if (named === undefined) await readFirst(await findUpwards(cwd, home), "project");
  else await readFirst([await namedFile(named, cwd)], "named");
  const environment = { file: environmentConfiguration(env), cwd, trusted: true };
  // The home file was read first, because it tells which projects are trusted, and has the lowest precedence.
  const strongestFirst = [environment, ...[...layers].reverse()];
  const configuration = mergedConfiguration(strongestFirst, env, home, (told) => void diagnostics.push(told));
  const trustsProject = await isTrustedProject(cwd, homes, home);
  return { configuration, files: files.reverse(), trustsProject, diagnostics };

  async function readFirst(
    found: readonly FoundFile[],
    place: ReadConfigurationFile["place"],
  ): Promise<ConfigurationFile | undefined> {
    const [first] = found;
    if (!first) return undefined;
    const trusted = place !== "project" || (await isTrustedProject(dirname(first.path), homes, home));
    const usable = found.filter(({ kind }) => trusted || kind === "json");
    if (!trusted) for (const one of found) if (one.kind === "ts") diagnostics.push(notRun(one.path));
    const [chosen, ...others] = usable;
    for (const other of others) diagnostics.push(secondFile(other.path));
    if (!chosen) return undefined;
    const tell = (told: Diagnostic) => void diagnostics.push(told);
    const file = trusted
      ? await readConfigurationFile(chosen, tell)
      : harmlessPart(await readStrangersFile(chosen.path, tell), chosen.path, tell);
    files.push({ path: chosen.path, place, trusted });
    layers.push({ file, cwd: dirname(chosen.path), trusted });
    return file;
  }
}

function notRun(path: string): Diagnostic {
  return {
    code: "configuration.not-run",
    severity: "warning",
    message: `${path} is a program that came with the project, so it was not run.`,
    hint: "Review it and add the project's folder to `trusted_projects` in ~/.skillwright/skillwright.config.json, or write it as skillwright.config.json.",
  };
}

function secondFile(path: string): Diagnostic {
  return {
    code: "configuration.second-file",
    severity: "warning",
    message: `${path} is ignored, because the other configuration file next to it is used.`,
    hint: "Keep one of the two.",
  };
}

/** True where the home file names the folder; `~` is the home directory, and links are resolved. */
async function isTrustedProject(
  folder: string,
  homes: ConfigurationFile | undefined,
  home: string | undefined,
): Promise<boolean> {
  const wanted = await real(folder);
  for (const path of homes?.trusted_projects ?? []) {
    const absolute = inHome(path, home);
    if (isAbsolute(absolute) && (await real(absolute)) === wanted) return true;
  }
  return false;
}

async function real(path: string): Promise<string> {
  return await realpath(path).catch(() => resolve(path));
}
