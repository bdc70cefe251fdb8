import { expect } from "vitest";
import {
  type ContentStore,
  type MetadataIndex,
  manifestDigest,
  SkillError,
  type SkillManifest,
  type SkillRepository,
  skillManifest,
} from "../../../packages/core/src/index.js";
import { memoryRepository } from "../../../packages/repository-memory/src/index.js";
import { cached, indexed, skillBox } from "../../../packages/skillbox/src/index.js";
import { counted } from "../../../packages/skillbox/test/indexed/counted.js";
import { settlesAfter } from "../boundary.js";
import { GIB, limitsOf, MIB, SECOND } from "../limit.js";

export const skillBoxLimits = limitsOf("skillbox", [
  {
    option: "`search`: `limit`",
    kind: "default",
    value: 10,
    unit: "skills",
    documented: ["README.md", "description and body, 10 by default"],
    source: ["src/catalog-view.ts", "DEFAULT_HITS = 10"],
    probe: async (value) =>
      expect(await skillBox({ own: repository(2 * value) }).search("things")).toHaveLength(value),
  },
  {
    option: "`skillBox`: `cache.entries`",
    kind: "default",
    value: 64,
    unit: "skills",
    documented: ["README.md", "of loaded skills in memory: 64 and 16 MiB"],
    source: ["src/skill-box.ts", "CACHED_SKILLS = 64"],
    probe: async (value) => {
      expect(await keptOf(value)).toBe(true);
      expect(await keptOf(value + 1)).toBe(false);
    },
  },
  {
    option: "`skillBox`: `cache.bytes`",
    kind: "default",
    value: 16 * MIB,
    unit: "bytes",
    documented: ["README.md", "of loaded skills in memory: 64 and 16 MiB"],
    source: ["src/skill-box.ts", "CACHED_BYTES = 16 * 1024 * 1024"],
    probe: async (value) => {
      // A character counts as two bytes, and everything except the body for less than one skill.
      const fitting = value / MIB - 1;
      expect(await keptOf(fitting, MIB / 2)).toBe(true);
      expect(await keptOf(fitting + 1, MIB / 2)).toBe(false);
    },
  },
  {
    option: "`indexed`: `attempts`",
    kind: "default",
    value: 32,
    unit: "tries",
    documented: ["README.md", "up to `attempts` times (32 by default)"],
    source: ["src/indexed.ts", "attempts = 32"],
    probe: async (value) => {
      const { repository, index } = counted("alpha");
      let tries = 0;
      const skills = indexed(repository, {
        ...index,
        write: async () => {
          tries++;
          throw new SkillError("CONFLICT", "Somebody else was faster.");
        },
      });
      await skills.list();
      expect(tries).toBe(value);
    },
  },
  {
    option: "`indexed`: `timeoutMs`",
    kind: "default",
    value: 5 * SECOND,
    unit: "ms",
    documented: ["README.md", "One that does not answer within `timeoutMs` (5,000) counts as failed"],
    source: ["src/indexed.ts", "timeoutMs = 5000"],
    probe: async (value) => {
      const { repository, index } = counted("alpha");
      const hanging: MetadataIndex = { ...index, read: () => new Promise(() => undefined) };
      await settlesAfter(value, () => indexed(repository, hanging).list());
    },
  },
  {
    option: "`cached`: `limits.skills`",
    kind: "default",
    value: 256,
    unit: "skills",
    documented: ["src/cached.ts", "leased in the content store. Defaults to 256."],
    source: ["src/cached.ts", "skills = 256"],
    probe: async (value) => {
      expect(await releasedAfter(value, 10)).toBe(0);
      expect(await releasedAfter(value + 1, 10)).toBe(1);
    },
  },
  {
    option: "`cached`: `limits.bytes`",
    kind: "default",
    value: GIB,
    unit: "bytes",
    documented: ["src/cached.ts", "leased in the content store. Defaults to 1 GiB."],
    source: ["src/cached.ts", "bytes = 1024 ** 3"],
    probe: async (value) => {
      expect(await releasedAfter(4, value / 4)).toBe(0);
      expect(await releasedAfter(5, value / 4)).toBe(1);
    },
  },
]);

function repository(count: number, bodyLength = 1): SkillRepository {
  const names = Array.from({ length: count }, (_, n) => `skill-${n}`);
  const text = (name: string) =>
    `---\nname: ${name}\ndescription: Does things.\n---\n${"x".repeat(bodyLength)}\n`;
  return memoryRepository({
    skills: Object.fromEntries(names.map((name) => [name, { "SKILL.md": text(name) }])),
  });
}

/** Whether the first loaded skill is still cached after so many loads. */
async function keptOf(count: number, bodyLength?: number): Promise<boolean> {
  let loads = 0;
  const own = repository(count, bodyLength);
  const load: SkillRepository["load"] = (...given) => {
    loads++;
    return own.load(...given);
  };
  const skills = skillBox({ own: { ...own, load } });
  for (let n = 0; n < count; n++) await skills.load(`skill-${n}`);
  loads = 0;
  await skills.load("skill-0");
  return loads === 0;
}

/** How many leases were released after so many skills of that size were loaded. */
async function releasedAfter(count: number, bytes: number): Promise<number> {
  let released = 0;
  const lease = async (digest: string) => ({
    ...{ digest, directory: "/nowhere" },
    release: async () => void released++,
  });
  const content = {
    find: async () => undefined,
    materialize: async (manifest: SkillManifest) => await lease(manifestDigest(manifest)),
  } as unknown as ContentStore;
  const own = repository(count);
  const sized: SkillRepository = {
    ...own,
    load: async (...given) => {
      const skill = await own.load(...given);
      const [file] = skill.manifest.files;
      const manifest = skillManifest(file ? [{ ...file, size: bytes }] : []);
      return { ...skill, manifest, digest: manifestDigest(manifest) };
    },
  };
  const near = cached(sized, { content });
  for (let n = 0; n < count; n++) await near.load(`skill-${n}`);
  return released;
}
