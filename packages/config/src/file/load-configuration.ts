import { dirname } from "node:path";
import { type CallOptions, checkAborted, type Diagnostic } from "@skillwright/core";
import type { Environment } from "../clients/s3-client.js";
import type { LoadedConfiguration, ReadConfigurationFile } from "./configuration.js";
import type { ConfigurationFile } from "./configuration-file.js";
import { environmentConfiguration } from "./environment-configuration.js";
import { type FoundFile, findInHome, findUpwards, namedFile } from "./find-files.js";
import { harmlessPart } from "./harmless-part.js";
import { mergedConfiguration } from "./merged-configuration.js";
import { readConfigurationFile, readStrangersFile } from "./read-configuration-file.js";
import { isTrustedProject } from "./trusted-project.js";

export interface LoadConfigurationOptions extends CallOptions {
  /** Absolute. The project's file is the nearest from here upwards, below the home directory. */
  readonly cwd: string;
  readonly env: Environment;
  /** Absolute; its `.skillwright` is where the home's file is. `HOME` or `USERPROFILE` of `env` by default. */
  readonly home?: string | undefined;
}

/** A part of the configuration and how far it counts. */
export interface ConfigurationLayer {
  readonly file: ConfigurationFile;
  /** What folders in it are relative to. */
  readonly cwd: string;
  readonly trusted: boolean;
}

/**
 * The configuration in force: variables `SKILLWRIGHT_…` over the project's `skillwright.config.{ts,json}` over
 * `~/.skillwright/skillwright.config.{ts,json}`. A file named by `SKILLWRIGHT_CONFIG` stands in the project's place.
 *
 * Whoever clones a project has not read its file. Until the home's file has the project under `trusted_projects`, a program
 * is not run, repositories in it are folders of the project and not trusted, nothing of it reaches a skill's runs or widens what
 * the home's allows, and what does not fit is left out; each is told. A file that was named counts in full.
 *
 * @throws SkillError `CONFIG_INVALID` naming the file and each wrong field, except for a project's that is not trusted; `FILE_NOT_FOUND` for a named file that is not there;
 *   `UNSUPPORTED` for a `.ts` file on a Node that cannot read it where `jiti` is not installed.
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
  // The home's was read first, because it says which projects are trusted, and is the weakest.
  const strongestFirst = [environment, ...[...layers].reverse()];
  const configuration = mergedConfiguration(strongestFirst, env, (told) => void diagnostics.push(told));
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
    message: `${path} is a program that came with the project, and was not run.`,
    hint: "Read it, then put the project's folder under `trusted_projects` of ~/.skillwright/skillwright.config.json; or write it as skillwright.config.json.",
  };
}

function secondFile(path: string): Diagnostic {
  return {
    code: "configuration.second-file",
    severity: "warning",
    message: `${path} does not count: the other file beside it does.`,
    hint: "Keep one of the two.",
  };
}
