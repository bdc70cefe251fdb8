import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inputFingerprints } from "../../scripts/bootstrap/build-packages.mjs";
import { workspacePackages } from "../../scripts/bootstrap/workspace-packages.mjs";

describe("the packages to rebuild", () => {
  let checkout = "";

  beforeEach(() => {
    checkout = mkdtempSync(`${tmpdir()}/skillwright-build-`);
    addPackage("core", {});
    addPackage("tools", { "@skillwright/core": "workspace:^" });
    addPackage("other", {});
  });

  afterEach(() => rmSync(checkout, { recursive: true }));

  it("are those whose source changed and those that depend on them", () => {
    const before = fingerprints();
    writeFileSync(`${checkout}/packages/core/src/index.ts`, "export const changed = 1;");
    expect(changedSince(before)).toEqual(["packages/core", "packages/tools"]);
  });

  it("are none if only tests and documents changed", () => {
    const before = fingerprints();
    mkdirSync(`${checkout}/packages/core/test`);
    writeFileSync(`${checkout}/packages/core/test/a.test.ts`, "");
    writeFileSync(`${checkout}/packages/core/README.md`, "# core");
    expect(changedSince(before)).toEqual([]);
  });

  it("are all if the build's configuration changed", () => {
    const before = fingerprints();
    writeFileSync(`${checkout}/tsconfig.base.json`, "{}");
    expect(changedSince(before)).toEqual(["packages/core", "packages/other", "packages/tools"]);
  });

  function addPackage(name: string, dependencies: Record<string, string>) {
    mkdirSync(`${checkout}/packages/${name}/src`, { recursive: true });
    writeFileSync(`${checkout}/packages/${name}/src/index.ts`, "export {};");
    const manifest = { name: `@skillwright/${name}`, dependencies };
    writeFileSync(`${checkout}/packages/${name}/package.json`, JSON.stringify(manifest));
  }

  function fingerprints(): Record<string, string> {
    return inputFingerprints(workspacePackages(checkout), checkout);
  }

  function changedSince(before: Record<string, string>): string[] {
    const after = fingerprints();
    return Object.keys(after).filter((directory) => after[directory] !== before[directory]);
  }
});
