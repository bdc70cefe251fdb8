import { type SkillSeed, skillRepositoryPromises, testSkillRepository } from "@skillwright/contracts";
import { describe, test } from "vitest";
import { overHttp, overStreams } from "./server-subjects.js";

describe.each([
  ["standard streams", overStreams],
  ["HTTP", overHttp],
])("this server, read by mcpRepository over %s (MCP-18)", (_, subject) => {
  testSkillRepository(test, subject, {
    skip: {
      ...without("the server offers usable skills only, each at its name", ({ seed }) => isAtItsName(seed)),
      ...without(
        "a request for each file costs the same, so there is no reader",
        ({ id }) => !id.startsWith("skill-repository/reader/"),
      ),
      "skill-repository/load/manifest": "MCP has no executable bit",
    },
  });
});

type Promised = (typeof skillRepositoryPromises)[number];

function without(reason: string, isTested: (promised: Promised) => boolean): Record<string, string> {
  const others = skillRepositoryPromises.filter((promised) => !isTested(promised));
  return Object.fromEntries(others.map(({ id }) => [id, reason]));
}

function isAtItsName(seed: SkillSeed): boolean {
  return Object.entries(seed).every(([path, files]) => {
    const text = String(files["SKILL.md"]);
    return new RegExp(`^name: ${path}\\r?$`, "m").test(text) && /^description: /m.test(text);
  });
}
