import { type CatalogSkill, skillFields } from "@skillwright/core";
import type { OverviewRenderer, ResolvedOptions } from "../injector-options.js";
import { codeSpan, xmlAttribute, xmlEscaped, xmlText } from "./one-line.js";

/** The custom renderer, or the one for the format. */
export function overviewRenderer(
  options: Pick<ResolvedOptions, "format" | "metadata" | "skillFile">,
): OverviewRenderer {
  const { format, metadata, skillFile } = options;
  if (typeof format === "object") return format;
  if (format === "markdown") return markdown(skillFile);
  return format === "xml" ? xml(metadata) : NAMES;
}

function xml(metadata: readonly string[]): OverviewRenderer {
  return {
    open: "<available_skills>",
    close: "</available_skills>",
    entry: (skill, description) => {
      const name = `<name>${xmlText(skill.name)}</name>`;
      if (description === undefined) return `<skill>\n${name}\n</skill>`;
      const mark = skill.trusted ? "" : ' trusted="false"';
      const told = `<description${mark}>${xmlEscaped(description)}</description>`;
      return ["<skill>", name, told, ...metadataEntries(skill, metadata), "</skill>"].join("\n");
    },
  };
}

/** Keys are attribute values, since a key need not be a valid tag name. */
function metadataEntries({ frontmatter }: CatalogSkill, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const known = new Map(Object.entries(skillFields(frontmatter).metadata));
  return keys.flatMap((key) => {
    const value = known.get(key);
    return value === undefined ? [] : [`<entry key="${xmlAttribute(key)}">${xmlText(value)}</entry>`];
  });
}

/** A Markdown list with the path of each SKILL.md. */
function markdown(skillFile: ResolvedOptions["skillFile"]): OverviewRenderer {
  return {
    open: "## Active Skills\n",
    close: "",
    entry: (skill, description) => {
      const file = `(SKILL file: ${codeSpan(skillFile(skill))})`;
      return description === undefined
        ? `- ${codeSpan(skill.name)} ${file}`
        : `- ${codeSpan(skill.name)}${skill.trusted ? `: ${description}` : ` (untrusted): ${codeSpan(description)}`} ${file}`;
    },
  };
}

const NAMES: OverviewRenderer = {
  open: "Available skills:\n",
  close: "",
  entry: ({ name }) => `- ${codeSpan(name)}`,
};
