import { expect } from "vitest";
import { skillMarkdown } from "../../../packages/contracts/src/index.js";
import { openS3Repository, s3Artifacts, s3Repository } from "../../../packages/repository-s3/src/index.js";
import { fakeBucket, PREFIX } from "../../../packages/repository-s3/test/fake-subject.js";
import { settlesAfter, takesAtMost } from "../boundary.js";
import { DAY, limitsOf, MINUTE } from "../limit.js";

const _HTTP = "src/http-settings.ts";
const BUCKET = "src/bucket/bucket.ts";
const _HTTP_LIMITS =
  "`archiveBytes` 32 MiB (at most 256), `files` 512, `bytes` 16 MiB, `skillFileBytes` 1 MiB, `indexBytes` 4 MiB, `entries` 2,000, `keptBytes` 64 MiB";

export const s3Limits = limitsOf("repository-s3", [
  {
    option: "`limits.depth`",
    kind: "default",
    value: 6,
    unit: "folders",
    documented: ["README.md", "at any depth up to `limits.depth` (6)"],
    source: ["src/repository-state.ts", "limits.depth ?? 6"],
    probe: async (value) => {
      const deep = (levels: number) => `${"g/".repeat(levels - 1)}s${levels}`;
      const bucket = await fakeBucket({
        [deep(value)]: { "SKILL.md": skillMarkdown(`s${value}`) },
        [deep(value + 1)]: { "SKILL.md": skillMarkdown(`s${value + 1}`) },
      });
      const { skills } = await s3Repository({ ...bucket, prefix: PREFIX }).list();
      await bucket.close();
      expect(skills.map(({ name }) => name)).toEqual([`s${value}`]);
    },
  },
  {
    option: "`limits.pages`",
    kind: "default",
    value: 5000,
    unit: "pages",
    documented: ["README.md", "more than `limits.pages` (5,000)"],
    source: [BUCKET, "pages = 5_000"],
    probe: async (value) => await takesAtMost(value, (pages) => listing(pages, 1)),
  },
  {
    option: "`limits.objects`",
    kind: "default",
    value: 500_000,
    unit: "objects",
    documented: ["README.md", "`limits.objects` (500,000)"],
    source: [BUCKET, "objects = 500_000"],
    probe: async (value) => await takesAtMost(value, (count) => listing(2, count / 2)),
  },
  {
    option: "`limits.answerMs`",
    kind: "default",
    value: MINUTE,
    unit: "ms",
    documented: ["README.md", "stalls for `limits.answerMs` (60,000)"],
    source: [BUCKET, "answerMs = 60_000"],
    probe: async (value) => {
      const send = (_command: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
        new Promise((_, reject) =>
          abortSignal.addEventListener("abort", () => reject(new Error("Aborted."))),
        );
      await settlesAfter(value, () => s3Repository({ client: clientOf(send), bucket: "b" }).list());
    },
  },
  {
    option: "`limits.parallel`",
    kind: "default",
    value: 16,
    unit: "objects",
    documented: ["README.md", "At most `limits.parallel` (16) objects are read, written or removed at once"],
    source: [BUCKET, "parallel = 16"],
    probe: async (value) => {
      const bucket = await fakeBucket(
        Object.fromEntries(
          Array.from({ length: 3 * value }, (_, n) => [`s${n}`, { "SKILL.md": skillMarkdown(`s${n}`) }]),
        ),
      );
      let [now, most] = [0, 0];
      const send = async (command: object, options: never) => {
        if (!("Key" in (command as { input: object }).input))
          return await bucket.client.send(command as never, options);
        most = Math.max(most, ++now);
        try {
          return await bucket.client.send(command as never, options);
        } finally {
          now--;
        }
      };
      await s3Repository({ client: clientOf(send), bucket: bucket.bucket, prefix: PREFIX }).list();
      await bucket.close();
      expect(most).toBe(value);
    },
  },
  {
    option: "looks at a plain skill that changes meanwhile",
    kind: "limit",
    value: 6,
    unit: "looks",
    documented: ["README.md", "else the folder is looked at again, six times at most, then `CONFLICT`"],
    source: ["src/skills/load-plain.ts", "ATTEMPTS = 6"],
    probe: async (value) => {
      const bucket = await fakeBucket({ one: { "SKILL.md": skillMarkdown("one"), "a.md": "a" } });
      const read = () =>
        bucket.requests.filter(({ operation, key }) => operation === "get" && key.endsWith("a.md")).length;
      bucket.fault = ({ operation, key }) => {
        if (operation === "get" && key.endsWith("a.md")) bucket.put(key, `a${read()}`);
        return undefined;
      };
      await expect(s3Repository({ ...bucket, prefix: PREFIX }).load("one")).rejects.toMatchObject({
        code: "CONFLICT",
      });
      await bucket.close();
      expect(read()).toBe(value);
    },
  },
  {
    option: "`openS3Repository`: `cleanUp`: `olderThanMs`",
    kind: "default",
    value: DAY,
    unit: "ms",
    documented: ["README.md", "older than `olderThanMs` (a day)"],
    source: ["src/open-s3-repository.ts", "DAY_MS = 24 * 60"],
    probe: async (value) => {
      const bucket = await fakeBucket();
      const repository = await openS3Repository({ ...bucket, prefix: PREFIX });
      bucket.put(`${PREFIX}/.skillwright/files/never/old/0`, "old");
      const removed: number[] = [];
      for (bucket.clock of [value - 10 * MINUTE, value + 10 * MINUTE])
        removed.push((await repository.cleanUp()).objects);
      await bucket.close();
      expect(removed).toEqual([0, 1]);
    },
  },
  {
    option: "`s3Artifacts`: `cleanUp`: `olderThanMs`",
    kind: "default",
    value: DAY,
    unit: "ms",
    documented: ["src/artifacts/clean-up.ts", "defaults to one day"],
    source: ["src/artifacts/clean-up.ts", "ONE_DAY_MS = 86_400_000"],
    probe: async (value) => {
      const bucket = await fakeBucket();
      const artifacts = await s3Artifacts({ ...bucket, prefix: PREFIX });
      bucket.put(`${PREFIX}/.skillwright/artifacts/content/folder/left`, "left");
      const removed: number[] = [];
      for (bucket.clock of [value - 10 * MINUTE, value + 10 * MINUTE])
        removed.push((await artifacts.cleanUp()).contents);
      await bucket.close();
      expect(removed).toEqual([0, 1]);
    },
  },
]);

type S3Client = Parameters<typeof s3Repository>[0]["client"];

function clientOf(send: unknown): S3Client {
  return { send } as unknown as S3Client;
}

/** Lists a bucket of so many pages, each of so many objects, without a skill. */
async function listing(pages: number, objects: number): Promise<void> {
  const client = clientOf(async ({ input }: { input: { Prefix?: string; ContinuationToken?: string } }) => {
    if (input.Prefix) return { Name: "b", Prefix: input.Prefix, IsTruncated: false };
    const page = Number(input.ContinuationToken ?? 1);
    const count = page === 1 ? Math.ceil(objects) : Math.floor(objects);
    const Contents = Array.from({ length: count }, (_, n) => ({ Key: `.hidden/${n}`, Size: 1, ETag: '"x"' }));
    return {
      Name: "b",
      Prefix: "",
      Contents,
      IsTruncated: page < pages,
      NextContinuationToken: String(page + 1),
    };
  });
  await s3Repository({ client, bucket: "b" }).list();
}
