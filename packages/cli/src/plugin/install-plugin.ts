import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { SkillError } from "@skillwright/core";
import { checkAborted, shownLine } from "@skillwright/core/adapter";
import type { Plugin } from "@skillwright/plugins";
import type { CliContext } from "../cli-context.js";
import { type Allowed, standingInTheWay } from "../handing-on/standing-in-the-way.js";
import { shownPath } from "../terminal/shown-path.js";
import { findingLines } from "../validate/finding-lines.js";
import type { PlacedFinding } from "../validate/judged-skill.js";
import { type JudgedPlugin, judgePlugin } from "./judge-plugin.js";
import { placePlugin } from "./place-plugin.js";
import { contentLines, pluginJson, titleOf } from "./plugin-text.js";
import { stagePlugin } from "./stage-plugin.js";
import { findingsJson } from "./validate-plugin.js";

export interface InstallPluginFlags {
  readonly user?: true;
  readonly overwrite?: true;
  readonly allowErrors?: true;
  readonly allowWarnings?: true;
  readonly json?: true;
}

/**
 * Installs a plugin to `.skillwright/plugins/NAME`. It is copied to a hidden folder beside, judged there, and renamed.
 * Findings that did not prevent the installation are printed.
 * @throws SkillError `SKILL_INVALID` for errors, `REFUSED` for security warnings, each where they are not allowed;
 * `PATH_OUTSIDE` where the project's folder of plugins leads out of the project; `CONFLICT` where a plugin of the name is installed; `BACKEND_FAILED` where the folder cannot be written; `ABORTED`; errors
 * of the source. The installed plugins have not changed then.
 */
export async function installPlugin(
  source: string,
  flags: InstallPluginFlags,
  context: CliContext,
): Promise<void> {
  const base = join(baseOf(flags, context), ".skillwright/plugins");
  try {
    await mkdir(base, { recursive: true });
    if (!flags.user) await refuseElsewhere(base, context);
    await installInto(base, source, flags, context);
  } catch (error) {
    throw SkillError.from(error, `Installing into ${base}`);
  }
}

/** A symlink that came with a project could lead to the plugins of the user, which are trusted. */
async function refuseElsewhere(base: string, { cwd }: CliContext): Promise<void> {
  if ((await realpath(base)).startsWith(join(await realpath(cwd), sep))) return;
  throw new SkillError(
    "PATH_OUTSIDE",
    `${base} leads out of the project. Remove the symlink, or use --user.`,
  );
}

async function installInto(
  base: string,
  source: string,
  flags: InstallPluginFlags,
  context: CliContext,
): Promise<void> {
  const hidden = await mkdtemp(join(base, ".plugin-"));
  try {
    const staged = join(hidden, "plugin");
    const diagnostics = await stagePlugin(source, staged, context);
    const left = diagnostics.map((finding): PlacedFinding => ({ finding, file: finding.path ?? "" }));
    const allowed = { errors: flags.allowErrors === true, warnings: flags.allowWarnings === true };
    const { plugin, findings } = await judged(staged, left, allowed, context).catch((error: unknown) => {
      if (!SkillError.is(error, "FILE_NOT_FOUND")) throw error;
      throw new SkillError(
        "FILE_NOT_FOUND",
        error.message.replace(staged, () => source),
        { cause: error },
      );
    });
    checkAborted(context.signal);
    const target = join(base, plugin.manifest.name);
    await placePlugin(staged, target, {
      overwrite: flags.overwrite === true,
      aside: join(hidden, "replaced"),
    });
    const told = findings.filter(({ finding }) => finding.severity !== "info");
    if (flags.json)
      context.printJson({ directory: target, ...pluginJson(plugin), ...findingsJson({ findings }) });
    else {
      context.remark(
        ...findingLines({ findings: told }, { style: context.errorStyle, width: context.width }),
      );
      context.print(...installedText(plugin, target, context));
    }
  } finally {
    await rm(hidden, { recursive: true, force: true });
  }
}

function baseOf({ user }: InstallPluginFlags, { cwd, env }: CliContext): string {
  if (!user) return resolve(cwd);
  const home = env["HOME"] ?? env["USERPROFILE"];
  if (home) return resolve(home);
  throw new SkillError("CONFIG_INVALID", "--user needs a home directory. Set HOME, or leave --user out.");
}

async function judged(
  staged: string,
  left: readonly PlacedFinding[],
  allowed: Allowed,
  context: CliContext,
): Promise<Required<Pick<JudgedPlugin, "plugin" | "findings">>> {
  const { plugin, ...read } = await judgePlugin(staged, staged);
  const whole = { ...read, findings: [...left, ...read.findings] };
  // A plugin whose manifest is invalid has no name, so no flag allows it.
  const found = standingInTheWay(whole, plugin ? allowed : { errors: false, warnings: false });
  if (plugin && !found) return { plugin, findings: whole.findings };
  if (found)
    context.remark(...findingLines(found.judged, { style: context.errorStyle, width: context.width }));
  const flag = found?.isError === false ? "--allow-warnings" : "--allow-errors";
  throw new SkillError(
    found?.isError === false ? "REFUSED" : "SKILL_INVALID",
    plugin
      ? `The plugin "${plugin.manifest.name}" has ${found?.what}. Review them, and use ${flag} to install it anyway.`
      : "The plugin is rejected, because its manifest is not valid. Correct the manifest.",
    { details: { codes: whole.findings.map(({ finding }) => finding.code) } },
  );
}

function installedText(plugin: Plugin, target: string, { cwd, style }: CliContext): readonly string[] {
  return [
    `${style.green("✔")} ${titleOf(plugin)}  ${style.bold(shownLine(shownPath(target, cwd)))}`,
    ...contentLines(plugin),
    ...(plugin.servers.length > 0
      ? [
          "  No MCP server was started. An application may offer them to you (@skillwright/plugins: launchOf).",
        ]
      : []),
  ];
}
