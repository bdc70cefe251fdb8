import type { SkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { cached, indexed, layered, skillBox } from "@skillwright/skillbox";
import { skillToolset } from "@skillwright/tools";
import { expect, onTestFinished, test } from "vitest";
import { fsContentStore } from "../../repository-fs/src/index.js";
import { temporaryDirectory } from "../../repository-fs/test/fs-subject.js";
import { httpRepository } from "../../repository-http/src/index.js";
import { publishedIndex } from "../../repository-http/test/published.js";
import { webServer } from "../../repository-http/test/web-server.js";
import { memoryIndex } from "../../repository-memory/test/broken/memory-index.js";
import { s3Repository } from "../../repository-s3/src/index.js";
import { fakeBucket, PREFIX } from "../../repository-s3/test/fake-subject.js";
import { caller, skillFile } from "./example-skills.js";
import { realWorkspaces } from "./real-workspaces.js";

const SKILLS = {
  alpha: { "SKILL.md": skillFile("alpha"), "say.sh": "echo alpha\n" },
  beta: { "SKILL.md": skillFile("beta"), "say.sh": "echo beta\n" },
};

interface Place {
  readonly repository: SkillRepository;
  /** How often all skills were listed, beside calls of `list`. */
  readonly listings: () => number;
}

const none = () => 0;

test.each<[string, () => Promise<Place>]>([
  ["in memory", async () => ({ repository: memoryRepository({ skills: SKILLS }), listings: none })],
  ["in a bucket", inBucket],
  ["at a well-known index", atIndex],
  [
    "behind an index",
    async () => ({
      repository: indexed(memoryRepository({ skills: SKILLS }), memoryIndex()),
      listings: none,
    }),
  ],
  [
    "in layers",
    async () => {
      const { repository, listings } = await inBucket();
      return { repository: layered(memoryRepository(), repository), listings };
    },
  ],
  [
    "in a cache over a bucket",
    async () => {
      const { repository, listings } = await inBucket();
      const { root, dispose } = await temporaryDirectory();
      onTestFinished(dispose);
      return { repository: cached(repository, { content: fsContentStore({ root }) }), listings };
    },
  ],
])("calls that name a skill %s list nothing", async (_, open) => {
  const { repository, listings } = await open();
  onTestFinished(() => repository.close());
  let lists = 0;
  const counted: SkillRepository = {
    ...repository,
    label: repository.label,
    list(options) {
      lists++;
      return repository.list(options);
    },
  };
  await using skills = skillBox({ own: counted });
  const workspaces = await realWorkspaces(skills);
  const call = caller(skillToolset({ skills, workspaces }).tools);
  await skills.snapshot();
  const before = lists + listings();
  for (const skill of ["alpha", "beta", "alpha"]) {
    expect(await call("skill_load", { skill })).toMatchObject({ isError: false });
    expect(await call("skill_run", { skill, command: "sh say.sh" })).toMatchObject({
      isError: false,
      output: { stdout: `${skill}\n` },
    });
  }
  expect(lists + listings() - before).toBe(0);
});

async function inBucket(): Promise<Place> {
  const fake = await fakeBucket({ alpha: SKILLS.alpha, elsewhere: SKILLS.beta });
  onTestFinished(() => fake.close());
  const repository = s3Repository({ client: fake.client, bucket: fake.bucket, prefix: PREFIX });
  const isWhole = ({ operation, key }: { operation: string; key: string }) =>
    operation === "list" && key === `${PREFIX}/`;
  return { repository, listings: () => fake.requests.filter(isWhole).length };
}

async function atIndex(): Promise<Place> {
  const server = await webServer(await publishedIndex(SKILLS));
  onTestFinished(() => server.close());
  const settings = { allowHttp: true, allowPrivate: true };
  const { openArchive } = await import("../../archive/src/index.js");
  const repository = httpRepository({ url: `${server.origin}/`, openArchive, ...settings });
  return { repository, listings: () => server.requests.length };
}
