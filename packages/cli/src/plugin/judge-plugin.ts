import { basename, join, resolve } from "node:path";
import { type Diagnostic, SkillError } from "@skillwright/core";
import { type LintFinding, lintSkill } from "@skillwright/lint";
import { type Plugin, readPlugin } from "@skillwright/plugins";
import { reportedPath } from "../terminal/shown-path.js";
import { judgeSkill } from "../validate/judge-skill.js";
import type { JudgedSkill, PlacedFinding } from "../validate/judged-skill.js";
import { skillFolderFiles } from "../validate/skill-folder-files.js";
import { OWN_FOLDER } from "./plugin-files.js";

/** A plugin with all findings about it and its skills. */
export interface JudgedPlugin extends JudgedSkill {
  /** Missing where the plugin is rejected as a whole; the findings then have the reason. */
  readonly plugin?: Plugin;
}

/**
 * Validates the manifest, the MCP servers and each skill of a plugin, and lints its files.
 * @param cwd Base of reported paths.
 * @throws SkillError `FILE_NOT_FOUND` for what is no folder of a plugin.
 */
export async function judgePlugin(directory: string, cwd: string): Promise<JudgedPlugin> {
  const root = resolve(directory);
  const shown = (path: string) => reportedPath(join(root, path), cwd);
  const place = (finding: LintFinding): PlacedFinding => ({
    finding,
    file: shown(finding.path ?? "plugin.json"),
  });
  const plugin = await readPlugin(root).catch(rejected);
  if (!("manifest" in plugin)) return { path: shown("."), valid: false, findings: [place(plugin)] };
  const folders = skillFolders(plugin);
  const findings = [
    ...plugin.diagnostics.filter(({ code }) => code.startsWith("plugin.")).map(place),
    ...(await lintedRest(root, folders)).map(place),
  ];
  const profile = plugin.format === "claude-code" ? "client" : "spec";
  for (const folder of folders) {
    const judged = await judgeSkill(join(root, folder, "SKILL.md"), { cwd, profile, lint: true });
    findings.push(...judged.findings);
  }
  const valid = findings.every(({ finding }) => finding.severity !== "error");
  return { path: shown("."), valid, findings, plugin };
}

/** A folder without a manifest is a wrong argument, not a plugin with a finding. */
function rejected(error: unknown): Diagnostic {
  if (!SkillError.is(error) || error.code === "FILE_NOT_FOUND") throw error;
  return {
    code: "plugin.rejected",
    severity: "error",
    message: error.message,
    hint: "No client that follows the format uses any part of the plugin.",
    path: "plugin.json",
  };
}

/** The usable skills, and the folders of those whose SKILL.md is at fault. */
function skillFolders({ skills, diagnostics }: Plugin): readonly string[] {
  const faulty = diagnostics.filter(
    ({ code, path }) => code === "plugin.skill-invalid" && !path?.endsWith("/SKILL.md"),
  );
  return [...skills, ...faulty].flatMap(({ path }) => path ?? []).sort();
}

/** Rules that apply to skills only: a skill's text names its files, and a skill has no symlinks. */
const OF_SKILLS_ALONE: ReadonlySet<string> = new Set(["SEC-05", "SEC-19", "SEC-20", "SEC-21", "SEC-23"]);

async function lintedRest(root: string, folders: readonly string[]): Promise<readonly LintFinding[]> {
  // The plugin itself may be a skill, which is then linted with all files.
  if (folders.includes(".")) return [];
  const { files, diagnostics } = await skillFolderFiles(
    root,
    new Set([...folders, OWN_FOLDER].map((folder) => join(root, folder))),
  );
  const findings = lintSkill({ directoryName: basename(root), files, filesComplete: false });
  return [
    ...diagnostics,
    ...findings.filter(({ code, path }) => path !== undefined && !OF_SKILLS_ALONE.has(code)),
  ];
}
