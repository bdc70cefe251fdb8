import { existsSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./readers/packages.js";
import { sourceFiles } from "./readers/source-files.js";

const documents = sourceFiles(".", /\.md$/);
const headings = new Map(documents.map(({ path, text }) => [path, headingsOf(text)]));
const linking = documents.flatMap(({ path, text }) => {
  const links = linksOf(text);
  return links.length === 0 ? [] : [{ path, links }];
});

describe("the links of documents", () => {
  it.each(linking)("lead to files and headings that exist: $path", ({ path, links }) => {
    expect(links.filter((link) => !leadsSomewhere(path, link))).toEqual([]);
  });

  it("are found with their headings", () => {
    const text =
      "# Traces and `metrics`: how?\n[a](b.md#c)\n```md\n# No heading\n[no](link)\n```\n`[no](link)`";
    expect([linksOf(text), [...headingsOf(text)]]).toEqual([["b.md#c"], ["traces-and-metrics-how"]]);
  });
});

/** The relative targets of links and images. */
function linksOf(text: string): readonly string[] {
  const targets = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** As GitHub names them in addresses; a second heading of the same name gets `-1`. */
function headingsOf(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, title = ""] of withoutFences(text).matchAll(/^#{1,6} +(.+)$/gm)) {
    const name = title
      .toLowerCase()
      .replace(/\]\([^)]*\)/g, "")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const count = [...found].filter((one) => one === name || one.replace(/-\d+$/, "") === name).length;
    found.add(count === 0 ? name : `${name}-${count}`);
  }
  return found;
}

function prose(text: string): string {
  return withoutFences(text).replace(/`[^`\n]*`/g, "");
}

function withoutFences(text: string): string {
  return text.replace(/^ *(`{3,}|~{3,})[\s\S]*?^ *\1/gm, "");
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", heading = ""] = decodeURI(link).split("#");
  const target = path === "" ? from : posix.join(posix.dirname(from), path);
  if (heading !== "" && headings.has(target)) return headings.get(target)?.has(heading) === true;
  return existsSync(`${root}/${target}`);
}
