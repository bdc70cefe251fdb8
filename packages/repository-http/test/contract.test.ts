import { openArchive } from "@skillwright/archive";
import {
  type RepositorySubject,
  type SkillSeed,
  skillRepositoryPromises,
  testSkillRepository,
} from "@skillwright/contracts";
import type { SkillRepository } from "@skillwright/core";
import { describe, test } from "vitest";
import { httpRepository } from "../src/index.js";
import { archived, contentOf, folded, publishedFiles, publishedIndex, tagged } from "./published.js";
import { zip } from "./raw-archives.js";
import { type Page, webServer } from "./web-server.js";

const README = { name: "README.md", body: "About these skills." };

type Publish = (seed: SkillSeed) => Promise<Record<string, Page>> | Record<string, Page>;

/** A promise whose seed cannot be published in this form cannot be tested. */
function without(reason: string, isPublishable: (seed: SkillSeed) => boolean): Record<string, string> {
  const others = skillRepositoryPromises.filter(({ seed }) => !isPublishable(folded(seed)));
  return Object.fromEntries(others.map(({ id }) => [id, reason]));
}

function isPlain(name: string): boolean {
  return /^[a-z0-9-]+$/.test(name);
}

function isIndexable(seed: SkillSeed): boolean {
  return Object.keys(seed).every(isPlain);
}

function isOneSkill(seed: SkillSeed): boolean {
  return isIndexable(seed) && Object.keys(seed).length === 1;
}

function isOneFile(seed: SkillSeed): boolean {
  return isOneSkill(seed) && Object.values(seed).every((files) => Object.keys(files).length === 1);
}

describe("an index of version 0.2.0 with archives and single files", () => {
  const skip = without("an index has names, not paths", isIndexable);
  testSkillRepository(test, async (seed) => await subject(seed, publishedIndex, () => "/"), { skip });
});

describe("an index of version 0.1 with files", () => {
  const skip = {
    ...without("an index has names, not paths", isIndexable),
    "skill-repository/load/manifest": "version 0.1 has no executable bit",
  };
  testSkillRepository(test, async (seed) => await subject(seed, publishedFiles, () => "/"), { skip });
});

describe.each([
  ["zip", ".skill", true],
  ["tar.gz", ".tar.gz", false],
] as const)("an archive: %s", (format, ending, isWrapped) => {
  const skip = without("an archive is one skill", (seed) => isOneSkill(seed) || isUnread(seed));
  const publish: Publish = async (seed) => {
    const [[name, files] = []] = Object.entries(folded(seed));
    if (name === undefined || !files) return {};
    const bytes = await archived(files, format, isWrapped ? name : undefined);
    // Neither type nor name says what it is: the content decides.
    return { [`/${name}${ending}`]: tagged(bytes, "application/octet-stream") };
  };
  const place = (seed: SkillSeed): string => `/${Object.keys(folded(seed))[0] ?? "none"}${ending}`;
  testSkillRepository(test, async (seed) => await subject(seed, publish, place), {
    skip: {
      ...skip,
      "skill-repository/list/empty": "an archive without a skill is refused",
      "skill-repository/change/added": "an archive is one skill",
    },
  });
});

describe("an archive of a tree of skills", () => {
  const isTree = (seed: SkillSeed): boolean => Object.keys(seed).length > 0 || isUnread(seed);
  const publish: Publish = (seed) => {
    const files = Object.entries(seed).flatMap(([path, files]) =>
      Object.entries(files).map(([file, content]) => ({
        name: `${path}/${file}`,
        body: contentOf(content),
        mode: typeof content === "object" && "executable" in content && content.executable ? 0o755 : 0o644,
      })),
    );
    const bytes = zip(...files.map(({ mode, ...file }) => ({ ...file, mode: 0o100000 + mode })), README);
    return { "/skills.zip": tagged(bytes, "application/zip") };
  };
  testSkillRepository(test, async (seed) => await subject(seed, publish, () => "/skills.zip"), {
    skip: {
      ...without("an archive without a skill is refused", isTree),
      "skill-repository/list/empty": "an archive without a skill is refused",
    },
  });
});

describe("a single SKILL.md", () => {
  const skip = without("it is one skill with one file", (seed) => isOneFile(seed) || isUnread(seed));
  const place = (seed: SkillSeed): string => `/${Object.keys(seed)[0] ?? "none"}/SKILL.md`;
  const publish: Publish = (seed) => {
    const [files] = Object.values(seed);
    return { [place(seed)]: tagged((files?.["SKILL.md"] ?? "") as string, "text/markdown; charset=utf-8") };
  };
  testSkillRepository(test, async (seed) => await subject(seed, publish, place), {
    skip: { ...skip, "skill-repository/list/empty": "an address without a skill is refused" },
  });
});

/** Promises with an empty seed, all but one, do not read what is published. */
function isUnread(seed: SkillSeed): boolean {
  return Object.keys(seed).length === 0;
}

async function subject(
  seed: SkillSeed,
  publish: Publish,
  place: (seed: SkillSeed) => string,
): Promise<RepositorySubject & { dispose(): Promise<void> }> {
  const server = await webServer(await publish(seed));
  const repository: SkillRepository = httpRepository({
    url: server.origin + place(seed),
    openArchive,
    allowHttp: true,
    allowPrivate: true,
  });
  return {
    repository,
    async change(skills) {
      server.pages = await publish(skills);
    },
    async dispose() {
      await repository.close();
      await server.close();
    },
  };
}
