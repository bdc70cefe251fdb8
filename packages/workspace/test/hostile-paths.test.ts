import { access } from "node:fs/promises";
import { SkillError, type WorkspaceRun } from "@skillwright/core";
import { describe, expect } from "vitest";
import { type HostileCase, hostileCase } from "./hostile-case.js";
import { SESSION, testIsolations } from "./workspace-fixture.js";

/** Expects that the run is refused with that code, and that no command ran. */
async function refused({ run, events }: HostileCase, wanted: WorkspaceRun, code: string): Promise<void> {
  const error: unknown = await run(wanted).catch((caught: unknown) => caught);
  expect(SkillError.is(error) ? error.code : error).toBe(code);
  expect(events.map(({ type }) => type)).not.toContain("run.started");
}

describe.each(await testIsolations())("hostile paths, isolation %s", (isolation) => {
  const refusals: readonly [string, Partial<WorkspaceRun>, string][] = [
    ["PATH-01: cwd parent escape", { cwd: "../../.." }, "PATH_OUTSIDE"],
    ["PATH-02: cwd absolute", { cwd: "/etc", command: "cat passwd" }, "PATH_OUTSIDE"],
    ["PATH-03: cwd NUL byte", { cwd: "scripts\0/../../etc" }, "PATH_OUTSIDE"],
    ["PATH-03: cwd NUL byte without ..", { cwd: "scripts\0x" }, "PATH_INVALID"],
    ["PATH-04: cwd is a file", { cwd: "scripts/hello.sh" }, "PATH_INVALID"],
    [
      "PATH-06: input over a staged skill's script",
      { inputs: [{ from: "artifact://a", to: "skills/demo/scripts/hello.sh" }] },
      "PATH_OUTSIDE",
    ],
    ["PATH-07: name from a hostile source", { inputs: [{ from: "artifact://.." }] }, "PATH_OUTSIDE"],
    [
      "PATH-08: percent-encoded traversal",
      { inputs: [{ from: "workspace://a/%2e%2e/%2e%2e/%2e%2e/etc/passwd" }] },
      "PATH_OUTSIDE",
    ],
    [
      "PATH-09: NFC and NFD twins",
      {
        inputs: [
          { from: "artifact://a", to: "work/caf\u00e9.txt" },
          { from: "artifact://a", to: "work/cafe\u0301.txt" },
        ],
      },
      "PATH_INVALID",
    ],
    [
      "PATH-10: over-long component",
      { inputs: [{ from: "artifact://a", to: `work/${"x".repeat(256)}` }] },
      "PATH_INVALID",
    ],
    [
      "PATH-10: over-long path",
      { inputs: [{ from: "artifact://a", to: `work/${"d/".repeat(2100)}f` }] },
      "PATH_INVALID",
    ],
  ];
  for (const [title, run, code] of refusals)
    hostileCase(`${title} is refused with ${code}`, isolation, async (place) => {
      await place.artifacts.save(SESSION, "a", "content");
      await refused(place, { skill: "demo", command: "pwd", ...run }, code);
      expect(await place.workspaces.files(place.id)).toEqual([]);
    });

  hostileCase(
    "PATH-05: an absolute target is refused and creates no file there",
    isolation,
    async (place) => {
      await place.artifacts.save(SESSION, "a", "content");
      const evil = `${place.outside}/evil`;
      await refused(place, { command: "true", inputs: [{ from: "artifact://a", to: evil }] }, "PATH_OUTSIDE");
      await expect(access(evil)).rejects.toThrow("ENOENT");
    },
  );

  hostileCase(
    "PATH-10: an over-long target is refused, earlier inputs are reported, no part of it stays",
    isolation,
    async (place) => {
      const inputs = [
        { from: "skill://demo/data/a.csv" },
        { from: `skill://demo/${"x".repeat(256)}`, to: "work/deep/er/f" },
      ];
      await refused(place, { command: "true", inputs }, "PATH_INVALID");
      const files = await place.workspaces.files(place.id);
      expect(files.map(({ path }) => path)).toEqual(["work/inputs/a.csv"]);
    },
  );
});
