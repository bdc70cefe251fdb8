import { resolve } from "node:path";
import type { CliContext } from "../cli-context.js";
import { countedFindings, countFindings, noFindings } from "../validate/count-findings.js";
import { findingLines } from "../validate/finding-lines.js";
import { type JudgedPlugin, judgePlugin } from "./judge-plugin.js";
import { contentLines, pluginJson, titleOf } from "./plugin-text.js";

export interface ValidatePluginFlags {
  readonly json?: true;
}

/** Prints the findings of a plugin. Returns false where one of them is an error. */
export async function validatePlugin(
  folder: string,
  { json }: ValidatePluginFlags,
  context: CliContext,
): Promise<boolean> {
  const judged = await judgePlugin(resolve(context.cwd, folder), context.cwd);
  if (json) context.printJson({ valid: judged.valid, ...findingsJson(judged) });
  else context.print(...findingLines(judged, context), ...summary(judged, context));
  return judged.valid;
}

/** The plugin, where it is not rejected, and all findings with the paths of their files. */
export function findingsJson({ plugin, findings }: Pick<JudgedPlugin, "plugin" | "findings">): object {
  return {
    ...(plugin && { plugin: pluginJson(plugin) }),
    findings: findings.map(({ finding, file }) => ({ ...finding, path: file })),
  };
}

function summary(judged: JudgedPlugin, { style }: CliContext): readonly string[] {
  const totals = noFindings();
  countFindings(totals, judged);
  const counts = countedFindings(totals);
  const mark = judged.valid ? style.green("✔") : style.red("✘");
  const { plugin } = judged;
  if (!plugin) return [`${mark} The plugin is rejected: ${counts}`];
  const verdict = judged.valid ? "valid" : "not valid";
  return [`${mark} ${titleOf(plugin)} ${verdict}${counts && `, ${counts}`}`, ...contentLines(plugin)];
}
