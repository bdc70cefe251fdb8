import type { CatalogSkill } from "@skillwright/core";
import type { OverviewFormat } from "./injector-options.js";
import { codeSpan, xmlText } from "./one-line.js";

/** How one format writes the list: what stands before, what after, and one entry. */
export interface OverviewFrame {
  readonly open: string;
  readonly close: string;
  /** `description` is on one line already. */
  entry(skill: CatalogSkill, description: string): string;
}

export function overviewFrame(format: OverviewFormat): OverviewFrame {
  return FRAMES[format];
}

const FRAMES: Readonly<Record<OverviewFormat, OverviewFrame>> = {
  xml: {
    open: "<available_skills>",
    close: "</available_skills>",
    entry: ({ name }, description) =>
      [
        "<skill>",
        `<name>${xmlText(name)}</name>`,
        `<description>${xmlText(description)}</description>`,
        "</skill>",
      ].join("\n"),
  },
  // The form of seed 002.
  markdown: {
    open: "## Active Skills\n",
    close: "",
    entry: ({ name }, description) =>
      `- ${codeSpan(name)}: ${description} (SKILL file: ${codeSpan(`skills/${name}/SKILL.md`)})`,
  },
  names: { open: "Available skills:\n", close: "", entry: ({ name }) => `- ${codeSpan(name)}` },
};
