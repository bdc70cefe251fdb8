import type { NeededPackage } from "./environment-need.js";

/** The lines of a requirements file, checked, or why no environment can be made from it. */
export type LockedRequirements =
  | {
      readonly packages: readonly NeededPackage[];
      readonly text: string;
      readonly ignored: readonly string[];
      /** The versions of Python that the file is for. */
      readonly requiresPython?: string | undefined;
    }
  | { readonly problem: string; readonly remedy?: string | undefined };

const REQUIREMENT =
  /^(?<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?<extras>\[[\w\s,.-]*\])?\s*===?\s*(?<version>[\w.+!-]+)\s*(?:;\s*(?<marker>[^#]*?))?$/;
const HASH = /\s--hash[=\s]\s*(sha(?:256|384|512):[0-9a-f]+)/g;
/** Options that choose an index or how packages are built; the configuration of the machine decides these. */
const IGNORED =
  /^(-i|-f|--(index-url|extra-index-url|find-links|no-index|trusted-host|prefer-binary|only-binary|no-binary|pre|require-hashes|use-pep517))\b/;

/**
 * Reads a requirements file in which every package is pinned with `==` and has hashes. The result holds names,
 * versions, markers and hashes only.
 */
export function lockedRequirements(content: string): LockedRequirements {
  const packages: NeededPackage[] = [];
  const lines: string[] = [];
  const ignored: string[] = [];
  for (const line of logicalLines(content)) {
    const [option] = IGNORED.exec(line) ?? [];
    if (option !== undefined) {
      ignored.push(option);
      continue;
    }
    const hashes = [...` ${line}`.matchAll(HASH)].map(([, hash]) => `--hash=${hash}`);
    const found = REQUIREMENT.exec(line.replaceAll(/\s--hash[=\s]\s*\S+/g, "").trim())?.groups;
    if (!found)
      return { problem: `the line ${JSON.stringify(line.slice(0, 120))} does not pin one package with ==` };
    const { name = "", extras = "", version = "", marker } = found;
    if (hashes.length === 0) return { problem: `${name} has no hash` };
    packages.push({ name, version });
    const condition = marker === undefined ? "" : ` ; ${marker.trim()}`;
    lines.push([`${name}${extras.replaceAll(/\s/g, "")}==${version}${condition}`, ...hashes].join(" "));
  }
  return { packages, text: lines.map((line) => `${line}\n`).join(""), ignored };
}

function logicalLines(content: string): readonly string[] {
  return content
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
}
