import { expect, onTestFinished, test } from "vitest";
import { locked } from "../../packages/config/src/index.js";
import { skillMarkdown } from "../../packages/contracts/src/index.js";
import type { SkillRepository } from "../../packages/core/src/index.js";
import { recordedSpans } from "../../packages/core/test/recorded-spans.js";
import { fsContentStore } from "../../packages/repository-fs/src/index.js";
import { temporaryDirectory } from "../../packages/repository-fs/test/fs-subject.js";
import { memoryRepository } from "../../packages/repository-memory/src/index.js";
import { memoryIndex } from "../../packages/repository-memory/test/broken/memory-index.js";
import { cached, indexed, layered } from "../../packages/skillbox/src/index.js";

const recorded = recordedSpans();
const SKILLS = { one: { "SKILL.md": skillMarkdown("one", { body: "the-secret-body" }) } };

test.each<[string, (repository: SkillRepository) => SkillRepository | Promise<SkillRepository>]>([
  ["layered", (repository) => layered(memoryRepository(), repository)],
  ["indexed", (repository) => indexed(repository, memoryIndex())],
  ["cached", async (repository) => cached(repository, { content: await contentStore() })],
  ["locked", async (repository) => locked(repository, await lockOf(repository))],
])(
  "a repository that is %s has a span for each call, above those of the repository that it calls",
  async (kind, combine) => {
    await using subject = await combine(memoryRepository({ skills: SKILLS }));
    recorded.reset();
    await subject.list();
    await subject.load("one");
    for await (const _ of await subject.open("one", "SKILL.md")) break;
    await subject.load("the-secret-name").catch(() => undefined);
    const own = recorded.ended().filter(([, { repository }]) => repository === kind);
    expect(own).toEqual([
      ["repository.list", { repository: kind, skills: 1, broken: 0 }],
      ["repository.load", { repository: kind, skill: "one", files: 1 }],
      ["repository.open", { repository: kind }],
      ["repository.load", { repository: kind, "error.type": "SKILL_NOT_FOUND" }],
    ]);
    expect(recorded.tree()).toContain("repository.list < repository.list");
    expect(recorded.tree()).toContain("repository.load < repository.load");
    expect(recorded.text()).not.toMatch(/secret|\//);
  },
);

async function contentStore() {
  const { root, dispose } = await temporaryDirectory();
  onTestFinished(dispose);
  return fsContentStore({ root });
}

async function lockOf(repository: SkillRepository) {
  const { digest } = await repository.load("one");
  return { formatVersion: 1, skills: { one: { source: "s", digest } } } as Parameters<typeof locked>[1];
}
