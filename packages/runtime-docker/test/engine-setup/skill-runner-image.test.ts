import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const dockerfile = readFileSync(`${root}docker/skill-runner/Dockerfile`, "utf8");
const readme = readFileSync(`${root}docker/skill-runner/README.md`, "utf8");
const packages = [...dockerfile.matchAll(/^ {6}([a-z0-9.-]+) \\$/gm)].map(([, name]) => name);

/** The package of each command that the README promises, if it is not in the base image. */
const bringers = new Map([
  ["python3", "python3"],
  ["python", "python3"],
  ["pip", "python3-pip"],
  ["venv", "python3-venv"],
  ["curl", "curl"],
  ["file", "file"],
  ["git", "git"],
  ["jq", "jq"],
  ["ps", "procps"],
  ["rg", "ripgrep"],
  ["unzip", "unzip"],
  ["zip", "zip"],
  ["pdftotext", "poppler-utils"],
  ["pdfimages", "poppler-utils"],
]);

describe("docker/skill-runner", () => {
  it("installs a package for every command that its README names, and no others", () => {
    const named = [...(readme.split("```")[0] ?? "").matchAll(/`([a-z0-9]+)`/g)].map(([, name = ""]) => name);
    expect(named.toSorted()).toEqual([...bringers.keys()].toSorted());
    expect(packages.toSorted()).toEqual([...new Set(["ca-certificates", ...bringers.values()])].toSorted());
  });

  it("builds on the runtime's default image", () => {
    const source = new URL("../../src/", import.meta.url);
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".ts"),
    );
    const defaults = files.flatMap((path) => [
      ...readFileSync(new URL(path, source), "utf8").matchAll(/DEFAULT_IMAGE = "(.+)"/g),
    ]);
    expect(defaults.map(([, image]) => image)).toEqual([dockerfile.match(/^FROM (\S+)$/m)?.[1]]);
  });

  it("takes nothing from this repository, keeps no package lists, and does not run as root", () => {
    expect(dockerfile).not.toMatch(/^(COPY|ADD|VOLUME|ENTRYPOINT|HEALTHCHECK)\b/m);
    expect(dockerfile).toContain("rm -rf /var/lib/apt/lists/*");
    expect([...dockerfile.matchAll(/^USER (.+)$/gm)].map(([, user]) => user)).toEqual(["1000:1000"]);
  });
});
