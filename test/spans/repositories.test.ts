import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { skillMarkdown } from "../../packages/contracts/src/index.js";
import type { SkillRepository, WritableSkillRepository } from "../../packages/core/src/index.js";
import { recordedSpans } from "../../packages/core/test/recorded-spans.js";
import { fsRepository } from "../../packages/repository-fs/src/index.js";
import { temporaryDirectory, writeSkills } from "../../packages/repository-fs/test/fs-subject.js";
import { gitRepository } from "../../packages/repository-git/src/index.js";
import { origin } from "../../packages/repository-git/test/git-subject.js";
import { httpRepository } from "../../packages/repository-http/src/index.js";
import { webServer } from "../../packages/repository-http/test/web-server.js";
import { mcpRepository } from "../../packages/repository-mcp/src/index.js";
import { honestAnswers, hostileServer } from "../../packages/repository-mcp/test/hostile-server.js";
import { memoryRepository } from "../../packages/repository-memory/src/index.js";
import { s3Repository } from "../../packages/repository-s3/src/index.js";
import { fakeBucket, PREFIX } from "../../packages/repository-s3/test/fake-subject.js";
import { freshMemory } from "../../packages/repository-sql/test/databases/sqlite-file.js";
import { subjects } from "../../packages/repository-sql/test/databases/subjects.js";

const recorded = recordedSpans();
const SKILLS = { one: { "SKILL.md": skillMarkdown("one", { body: "the-secret-body" }) } };

test.each<[string, () => Promise<SkillRepository>]>([
  ["memory", async () => memoryRepository({ skills: SKILLS })],
  ["fs", inFolder],
  ["git", inGit],
  ["http", onWeb],
  ["mcp", onMcpServer],
  ["s3", inBucket],
  ["sql", inSqlite],
])("a repository of kind %s has a span for each listing, loading and opening", async (repository, make) => {
  const subject = await make();
  await subject.list();
  await subject.load("one");
  for await (const _ of await subject.open("one", "SKILL.md")) break;
  await subject.load("the-secret-name").catch(() => undefined);
  expect(recorded.ended().filter(([name]) => name !== "skill.parse")).toEqual([
    ["repository.list", { repository, skills: 1, broken: 0 }],
    ["repository.load", { repository, skill: "one", files: 1 }],
    ["repository.open", { repository }],
    ["repository.load", { repository, "error.type": "SKILL_NOT_FOUND" }],
  ]);
  expect(recorded.text()).not.toMatch(/secret|\//);
});

test.each([
  ["fs", inFolder],
  ["git", inGit],
  ["s3", inBucket],
])(
  "the reader has a span if a repository of kind %s loads a skill, and none for each file of a listing",
  async (_, make) => {
    const subject = await make();
    await subject.list();
    expect(recorded.ended().map(([name]) => name)).toEqual(["repository.list"]);
    await subject.load("one");
    const size = Buffer.byteLength(SKILLS.one["SKILL.md"]);
    expect(recorded.ended()).toContainEqual(["skill.parse", { size, diagnostics: 0 }]);
    expect(recorded.tree()).toContain("skill.parse < repository.load");
    expect(recorded.text()).not.toContain("secret");
  },
);

test.each<[string, () => Promise<WritableSkillRepository>]>([
  ["memory", async () => memoryRepository()],
  ["fs", inFolder],
  ["sql", inSqlite],
])("a repository of kind %s has a span for each upload and deletion", async (repository, make) => {
  const subject = await make();
  await subject.upload([{ path: "SKILL.md", content: skillMarkdown("two") }]);
  await subject.delete("two");
  expect(recorded.ended().filter(([name]) => name !== "skill.parse")).toEqual([
    ["repository.upload", { repository, skill: "two", files: 1 }],
    ["repository.delete", { repository }],
  ]);
});

test("a SQL repository has a span for each call about versions and deletions", async () => {
  const { repository, dispose } = await subjects(freshMemory).repository({});
  onTestFinished(dispose);
  await repository.upload([{ path: "SKILL.md", content: skillMarkdown("two") }]);
  await repository.versions("two");
  await repository.delete("two");
  await repository.deleted();
  await repository.restore("two");
  await repository.purge("two");
  const made = recorded.ended().filter(([, attributes]) => attributes["repository"] === "sql");
  expect(made.map(([name]) => name)).toEqual(
    ["upload", "versions", "delete", "deleted", "restore", "purge"].map((name) => `repository.${name}`),
  );
});

function closed<Repository extends SkillRepository>(repository: Repository): Repository {
  onTestFinished(() => repository.close());
  return repository;
}

async function inFolder(): Promise<WritableSkillRepository> {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  await writeSkills(root, SKILLS);
  return closed(fsRepository({ root }));
}

async function inGit(): Promise<SkillRepository> {
  const { directory: url, cache, dispose } = await origin(SKILLS);
  onTestFinished(dispose);
  return closed(gitRepository({ url, cache: join(cache), allowLocal: true }));
}

async function inSqlite(): Promise<WritableSkillRepository> {
  const { repository, dispose } = await subjects(freshMemory).repository(SKILLS);
  onTestFinished(dispose);
  return repository;
}

async function onWeb(): Promise<SkillRepository> {
  const headers = { "content-type": "text/markdown" };
  const server = await webServer({ "/SKILL.md": { body: SKILLS.one["SKILL.md"], headers } });
  onTestFinished(() => server.close());
  const settings = { allowHttp: true, allowPrivate: true };
  return closed(httpRepository({ url: `${server.origin}/SKILL.md`, ...settings }));
}

async function onMcpServer(): Promise<SkillRepository> {
  const server = await hostileServer(honestAnswers(SKILLS));
  onTestFinished(() => server.close());
  return closed(mcpRepository({ server: { url: server.url } }));
}

async function inBucket(): Promise<SkillRepository> {
  const { client, bucket } = await fakeBucket(SKILLS);
  return closed(s3Repository({ client, bucket, prefix: PREFIX }));
}
