import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root } from "./bundled-skill.js";

const bundle = readFileSync(`${root}/skills/pdf-to-markdown/scripts/convert.bundle.mjs`, "utf8");

describe("generated files below skills/ and data/", () => {
  it("are byte for byte what their sources generate", () => {
    const check = spawnSync(process.execPath, [`${root}/scripts/bundle-skills.mjs`, "--check"], {
      encoding: "utf8",
    });
    expect(check).toMatchObject({ status: 0, stderr: "" });
    expect(check.stdout).toContain("same      skills/pdf-to-markdown/scripts/convert.bundle.mjs");
    expect(check.stdout).toContain("same      data/orders.csv");
    expect(check.stdout).not.toMatch(/^(new|different)/m);
  });
});

describe("the bundled PDF converter", () => {
  it("imports only Node's own modules, and loads nothing later", () => {
    const imported = [...bundle.matchAll(/(?:^|[;\s])import\s*(?:[\w*{][^;"']*from\s*)?"([^"]+)"/g)].map(
      ([, from]) => from,
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((from) => !from?.startsWith("node:"))).toEqual([]);
    expect(bundle).not.toMatch(/createRequire|@napi-rs|child_process/);
  });

  it("contains no path of the machine on which it was built", () => {
    expect(bundle).not.toContain("node_modules");
    expect(bundle).not.toContain(`${root}/`);
  });

  it("has no encoded blob and no invisible characters, which scanners reject", () => {
    expect(bundle).not.toMatch(/[A-Za-z0-9+/]{400,}/);
    expect(bundle).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
  });

  it("names the origin of its code, and includes the licences", () => {
    expect(bundle.split("\n", 5).join("\n")).toMatch(
      /PDF\.js \(pdfjs-dist [\d.]+, Apache-2\.0.*changed[\s\S]*LICENSES\//,
    );
    const licence = (name: string) =>
      readFileSync(`${root}/skills/pdf-to-markdown/LICENSES/${name}.txt`, "utf8");
    expect(licence("pdfjs-dist")).toContain("Apache License");
    expect(licence("core-js")).toContain("Permission is hereby granted, free of charge");
    expect(licence("adobe-cmap-resources")).toContain("Adobe Systems Incorporated");
  });
});
