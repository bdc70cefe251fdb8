import { describe, expect, it } from "vitest";
import { sourceFiles } from "./readers/source-files.js";

/** Keys, services, programs and files, or none; packages to install are named by the line that installs them. */
const NEEDS = /^\*\*Needs:\*\* \S/m;

const examples = ["", "packages", "apps", "examples"].flatMap((place) =>
  sourceFiles(place || ".", /^(?:.*\/)?README\.md$/)
    .filter(({ path }) => place !== "" || path === "README.md")
    .flatMap(({ path, text }) => examplesIn(path, text)),
);

describe("READMEs", () => {
  it("have examples", () => {
    const readmes = new Set(examples.map(({ name }) => name.split(":")[0]));
    expect([...readmes]).toContain("README.md");
    expect(readmes.size).toBeGreaterThan(15);
  });

  it.each(examples)("say above the example in $name what it needs", ({ before }) => {
    expect(before).toMatch(NEEDS);
  });
});

/** Each example of code or commands with the text since the previous one. Blocks that only install packages are not examples. */
function examplesIn(path: string, text: string): { name: string; before: string }[] {
  let end = 0;
  return [...text.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].flatMap(
    ({ 0: block, 1: kind, 2: code = "", index }) => {
      const before = text.slice(end, index);
      end = index + block.length;
      const installs = code
        .trimEnd()
        .split("\n")
        .every((line) => /^(npm|apt-get) install /.test(line));
      if (installs || !["sh", "ts"].includes(kind ?? "")) return [];
      return [{ name: `${path}:${text.slice(0, index).split("\n").length}`, before }];
    },
  );
}
