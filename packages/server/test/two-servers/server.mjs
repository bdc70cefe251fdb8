// A server of two users over Redis and PostgreSQL: `server.mjs <port of Redis> <URL of PostgreSQL> <workspaces> <model>`.
import { redisRegistry, redisSessions, redisTurns } from "@skillwright/metadata-redis";
import { memoryRepository } from "@skillwright/repository-memory";
import { postgresDatabase, sqlArtifacts } from "@skillwright/repository-sql";
import { localRuntime } from "@skillwright/runtime-local";
import { agentServer } from "@skillwright/server";
import { listen } from "@skillwright/server/node";
import { skillBox } from "@skillwright/skillbox";
import { Redis } from "ioredis";
import { Pool } from "pg";

const [port, database, root, baseURL] = process.argv.slice(2);
const client = new Redis(Number(port));
const pool = new Pool({ connectionString: database });
const skill = (name) => ({
  [name]: { "SKILL.md": `---\nname: ${name}\ndescription: Runs.\n---\nRun it.\n` },
});
const server = agentServer({
  agents: { assistant: { modelConfig: { provider: "openai", model: "fake", baseURL, apiKey: "none" } } },
  skills: skillBox({
    own: memoryRepository({ skills: skill("own-skill") }),
    foreign: { repository: memoryRepository({ skills: skill("foreign-skill") }), trusted: false },
  }),
  runtime: localRuntime({ root, isolation: "none" }),
  registry: redisRegistry({ client }),
  sessions: redisSessions({ client }),
  turns: redisTurns({ client }),
  artifacts: sqlArtifacts({ database: await postgresDatabase({ pool }) }),
  authenticate: (request) => {
    const id = request.headers.get("authorization")?.replace("Bearer ", "");
    return id === "ada" || id === "bob" ? { id } : undefined;
  },
});
const { address } = await listen(server, { port: 0 });
console.log(address);
