import { skillRepositoryPromises, testSkillRepository } from "@skillwright/contracts";
import { describe, test } from "vitest";
import { mcpRepository } from "../src/index.js";
import { honestAnswers, hostileServer } from "./hostile-server.js";

/** Promises that no server can keep over MCP. `packages/mcp` has the same suite over its own server. */
const NOT_OVER_MCP: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    skillRepositoryPromises
      .filter(({ id }) => id.startsWith("skill-repository/reader/"))
      .map(({ id }) => [id, "it has no reader, since a request for each file costs the same"]),
  ),
  "skill-repository/load/manifest": "MCP has no executable bit",
};

describe("a server that offers its skills at paths, usable or not (MCP-18)", () => {
  testSkillRepository(
    test,
    async (seed) => {
      const server = await hostileServer(honestAnswers(seed));
      const repository = mcpRepository({ server: { url: server.url } });
      return {
        repository,
        async change(skills) {
          server.state.answers = honestAnswers(skills);
        },
        async dispose() {
          await repository.close();
          await server.close();
        },
      };
    },
    { skip: NOT_OVER_MCP },
  );
});
