import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root } from "../repository/readers/packages.js";

const folder = `${root}/examples/agents`;
const page = readFileSync(`${root}/docs/agent-sdks.md`, "utf8");
const programs = readdirSync(folder)
  .filter((name) => existsSync(`${folder}/${name}/agent.ts`))
  .map((name) => {
    const { dependencies } = JSON.parse(readFileSync(`${folder}/${name}/package.json`, "utf8"));
    const lines = readFileSync(`${folder}/${name}/agent.ts`, "utf8").split("\n");
    return {
      name,
      versions: Object.entries<string>(dependencies),
      lines: lines.filter((line) => line.trim() !== "").length,
    };
  });

describe("the programs for agent SDKs", () => {
  it("are six", () => {
    expect(programs.map(({ name }) => name)).toEqual([
      ...["google-adk", "langgraph", "mastra", "openai-agents", "strands", "voltagent"],
    ]);
  });

  it.each(programs)("$name has at most 25 lines that are not blank (TOOL-25)", ({ lines }) => {
    expect(lines).toBeLessThanOrEqual(25);
  });

  it.each(programs)(
    "$name is in the page with its SDK, version and lines (TOOL-25)",
    ({ name, versions, lines }) => {
      const row = page.split("\n").find((line) => line.includes(`](../examples/agents/${name}/agent.ts)`));
      const [, , version, program] = (row ?? "").split("|").map((cell) => cell.trim());
      expect(versions.map(([sdk, exact]) => `\`${sdk}\` ${exact}`)).toContain(version);
      expect(program).toBe(`[${lines} lines](../examples/agents/${name}/agent.ts)`);
    },
  );

  it.each(programs)(
    "$name names exact versions, and its lockfile no registry (TOOL-25)",
    ({ name, versions }) => {
      expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
      expect(readFileSync(`${folder}/${name}/package-lock.json`, "utf8")).not.toContain('"resolved"');
    },
  );
});
