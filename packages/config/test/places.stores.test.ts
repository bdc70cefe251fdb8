import { PutObjectCommand } from "@aws-sdk/client-s3";
import { failsWith, skillMarkdown } from "@skillwright/contracts";
import { readText } from "@skillwright/core";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { startRedis } from "../../metadata-redis/test/redis-server/redis-server.js";
import { freshBucket } from "../../repository-s3/test/stores/fresh-bucket.js";
import { startPostgres } from "../../repository-sql/test/databases/postgres-server.js";
import { openSkillsPackage } from "../src/package/skills-package.js";
import { openRecords } from "../src/records/open-records.js";
import { openArtifacts } from "../src/sources/open-artifacts.js";
import { openSkillSource } from "../src/sources/open-skill-source.js";
import { sourceClients } from "../src/sources/source-clients.js";
import { packageFolder } from "./package-folder.js";

const server = inject("s3");
const scope = { app: "a", user: "u", session: "s" };

if (server)
  describe("places in a bucket, with the AWS variables", () => {
    test.each(["s3", "oss"] as const)(
      "a package of source %s uses the version's directory",
      async (source) => {
        const { env, bucket } = await withObjects();
        const opened = await openSkillsPackage(
          { source, path: `${source}://${bucket}/team`, version: "1.2.0" },
          { env },
        );
        onTestFinished(() => opened.close());
        expect((await opened.repository.list()).skills.map(({ name }) => name)).toEqual(["csv", "pdf"]);
        expect([...opened.commands]).toEqual([["write", "Write remotely."]]);
        expect(opened.diagnostics).toEqual([]);
      },
    );

    test("an https address contains server and bucket", async () => {
      const { env, bucket } = await withObjects();
      const { AWS_ENDPOINT_URL_S3: endpoint, ...keys } = env;
      const opened = await openSkillsPackage(
        { source: "s3", path: `${endpoint}/${bucket}/team/1.2.0`, enabledSkills: ["pdf"] },
        { env: keys },
      );
      onTestFinished(() => opened.close());
      expect((await opened.repository.list()).skills.map(({ name }) => name)).toEqual(["pdf"]);
    });

    test("hybrid puts the local directory over the bucket, for skills and for commands", async () => {
      const { env, bucket } = await withObjects();
      const workDir = await packageFolder({
        "skills/pdf/SKILL.md": skillMarkdown("pdf", { description: "Local." }),
        "commands/write.md": "Write locally.",
      });
      const opened = await openSkillsPackage(
        { source: "hybrid", path: `s3://${bucket}/team/1.2.0` },
        { env, workDir },
      );
      onTestFinished(() => opened.close());
      const { skills, diagnostics } = await opened.repository.list();
      expect(skills.map(({ name, description }) => [name, description])).toEqual([
        ["csv", "Does what csv does."],
        ["pdf", "Local."],
      ]);
      expect(diagnostics).toMatchObject([{ code: "skill.shadowed" }]);
      expect([...opened.commands]).toEqual([["write", "Write locally."]]);
    });

    test("a source and an artifact store are opened from one line of text", async () => {
      const { env, bucket } = await withObjects();
      const clients = sourceClients(env);
      onTestFinished(() => clients.close());
      const source = await openSkillSource(`s3://${bucket}/team/1.2.0/skills`, { cwd: "/", clients });
      expect((await source.load("pdf")).name).toBe("pdf");
      const artifacts = await openArtifacts(`s3://${bucket}/artifacts`, { cwd: "/", clients });
      await artifacts.save(scope, "report.md", "text");
      const { content } = await artifacts.open(scope, "report.md");
      expect(await readText(content, 100)).toBe("text");
      await failsWith(openArtifacts("https://example.com", { cwd: "/", clients }), "CONFIG_INVALID");
    });
  });

if (hasAll("redis-server"))
  describe("records by address", () => {
    test("is the same for all processes that name the same source", async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      const address = `redis://127.0.0.1:${redis.port}`;
      const [one, other] = [await openRecords(address), await openRecords(address)];
      onTestFinished(() => one.close());
      onTestFinished(() => other.close());
      await one.index?.("s3://a").write({ from: undefined, put: [], remove: [] });
      expect(await other.index?.("s3://a").read()).toBeDefined();
      expect(await other.index?.("s3://b").read()).toBeUndefined();
      await one.records.write(["kept", "here"], { value: "hello" });
      expect((await other.records.get(["kept", "here"])).value).toEqual("hello");
    });

    test("an unreachable server is reported without the password", async () => {
      const opening = openRecords("redis://ada:geheim@127.0.0.1:1");
      await failsWith(opening, "BACKEND_FAILED");
      await expect(opening).rejects.toThrow(/^(?!.*geheim).*127\.0\.0\.1:1 cannot be used/s);
    });

    test.each(["http://host", "redis:", "host:6379", ""])(
      "%j is refused as an address of records",
      async (address) => {
        await failsWith(openRecords(address), "CONFIG_INVALID");
      },
    );
  });

if (hasAll("a PostgreSQL server"))
  test("records and artifacts in PostgreSQL are the same for all processes", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const address = (await server.emptyPlace()).replace("test@", "test:geheim@");
    const [one, other] = [await openRecords(address), await openRecords(address)];
    const clients = sourceClients({});
    onTestFinished(async () => {
      for (const { close } of [one, other, clients]) await close();
    });
    expect(one.index).toBeUndefined();
    await one.records.write(["kept", "here"], { value: "hello" });
    expect((await other.records.get(["kept", "here"])).value).toEqual("hello");
    const artifacts = await openArtifacts(address, { cwd: "/", clients });
    await artifacts.save(scope, "report.md", "text");
    const { content } = await artifacts.open(scope, "report.md");
    expect(await readText(content, 100)).toBe("text");
  });

async function withObjects() {
  if (!server) throw new Error("There is no S3 server.");
  const { bucket, connect, remove } = await freshBucket();
  onTestFinished(remove);
  const objects = {
    "skills/pdf/SKILL.md": skillMarkdown("pdf"),
    "skills/csv/SKILL.md": skillMarkdown("csv"),
    "commands/write.md": "Write remotely.",
    "commands/deeper/no.md": "No command.",
  };
  for (const [path, text] of Object.entries(objects))
    await connect().send(new PutObjectCommand({ Bucket: bucket, Key: `team/1.2.0/${path}`, Body: text }));
  const env = {
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
  return { env, bucket };
}
