import { type SkillSeed, skillRepositoryPromises, testContract } from "@skillwright/contracts";
import { describe, test } from "vitest";
import { shortForm } from "../../../test/short-form.js";
import { overHttp, overStreams } from "./server-subjects.js";

const skip = {
  ...without("the server offers usable skills only, each at its name", ({ seed }) => isAtItsName(seed)),
  ...without(
    "a request for each file costs the same, so there is no reader",
    ({ id }) => !id.startsWith("skill-repository/reader/"),
  ),
  "skill-repository/load/manifest": "MCP has no executable bit",
};
const tested = skillRepositoryPromises.filter(({ id }) => !(id in skip));

describe("this server, read by mcpRepository over HTTP (MCP-18)", () => {
  testContract(test, skillRepositoryPromises, overHttp, { skip });
});

describe("this server, read by mcpRepository over standard streams (MCP-18)", () => {
  testContract(test, shortForm(tested), overStreams);
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
