// A server of two users over Redis, PostgreSQL and, where its settings are given, S3:
// `server.mjs <port of Redis> <URL of PostgreSQL> <workspaces> <model> [<S3 as JSON>]`.
import { S3Client } from "@aws-sdk/client-s3";
import { redisRecords } from "@skillwright/metadata-redis";
import { memoryRepository } from "@skillwright/repository-memory";
import { s3Artifacts } from "@skillwright/repository-s3";
import { postgresDatabase, sqlArtifacts } from "@skillwright/repository-sql";
import { localRuntime } from "@skillwright/runtime-local";
import { agentServer } from "@skillwright/server";
import { listen } from "@skillwright/server/node";
import { skillBox } from "@skillwright/skillbox";
import { Redis } from "ioredis";
import { Pool } from "pg";

const [port, database, root, baseURL, s3] = process.argv.slice(2);
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
  records: redisRecords({ client }),
  artifacts: s3
    ? artifactsOnS3(JSON.parse(s3))
    : sqlArtifacts({ database: await postgresDatabase({ pool }) }),
  authenticate: (request) => {
    const id = request.headers.get("authorization")?.replace("Bearer ", "");
    return id === "ada" || id === "bob" ? { id } : undefined;
  },
});
const { address } = await listen(server, { port: 0 });
console.log(address);

function artifactsOnS3({ bucket, endpoint, ...credentials }) {
  const client = new S3Client({
    ...{ endpoint, region: "us-east-1", forcePathStyle: true, credentials },
    // Ceph 16 does not support trailing checksums of a stream.
    ...{ requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" },
  });
  return s3Artifacts({ client, bucket });
}
