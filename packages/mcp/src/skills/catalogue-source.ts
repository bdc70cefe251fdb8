import type { SkillSource } from "@modelcontextprotocol/server/ext/skills";
import {
  type CallOptions,
  type CatalogSnapshot,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
} from "@skillwright/core";
import { forEachLimited, shownLine, shownText } from "@skillwright/core/adapter";
import { resourceBytes } from "../resources/file-content.js";
import { toProtocolError } from "../resources/protocol-error.js";
import { directoryOf } from "./skill-directory.js";
import { parseSkillUri, skillUri } from "./skill-uri.js";

type Entry = NonNullable<Awaited<ReturnType<SkillSource["get"]>>>;
type Resource = Awaited<ReturnType<NonNullable<SkillSource["listResources"]>>>[number];

const PAGE = 50;
/** The number of manifests that are read at the same time. */
const AT_ONCE = 8;
const TOO_LARGE = "Read it in parts with skill_read, or use a command.";

/**
 * Serves the catalogue as the source of the extension. A page has entries from the manifests of its skills; a body is read only when
 * it is requested. Skills that cannot be read are reported and left out of the page.
 */
export function catalogueSource(
  skills: SkillCatalog,
  leaveOut: (name: string, why: string) => void,
): SkillSource {
  const listed = async (options: CallOptions) => (await skills.snapshot(options)).skills;

  async function loaded(name: string, options: CallOptions): Promise<(Skill & SkillOrigin) | undefined> {
    try {
      return await skills.load(name, options);
    } catch (error) {
      if (SkillError.is(error, "SKILL_NOT_FOUND")) return undefined;
      throw error;
    }
  }

  return {
    /** The cursor is the last name of the page before. So changes between two pages neither repeat nor skip a skill. */
    async list({ cursor = "" }, { mcpReq: { signal } }) {
      const names = (await listed({ signal })).map(({ name }) => name).filter((name) => name > cursor);
      const page = names.slice(0, PAGE);
      const entries = new Map<string, Entry>();
      await forEachLimited(page, AT_ONCE, async (name) => {
        try {
          const skill = await loaded(name, { signal });
          if (skill) entries.set(name, entryOf(skill));
        } catch (error) {
          leaveOut(name, SkillError.from(error, "Reading it").message);
        }
      });
      const last = page.at(-1);
      return {
        skills: page.flatMap((name) => entries.get(name) ?? []),
        ...(names.length > page.length && last !== undefined && { nextCursor: last }),
      };
    },
    async get(uri, { mcpReq: { signal } }) {
      const asked = parseSkillUri(uri);
      if (asked?.path !== "SKILL.md") return undefined;
      const skill = await loaded(asked.name, { signal }).catch(toProtocolError(uri));
      return skill && entryOf(skill);
    },
    async read(uri, { mcpReq: { signal } }) {
      const asked = parseSkillUri(uri);
      if (!asked) return undefined;
      const skill = await loaded(asked.name, { signal }).catch(toProtocolError(uri));
      if (!skill?.manifest.files.some(({ path }) => path === asked.path)) return undefined;
      const content = await skills.open(asked.name, asked.path, { signal }).catch(toProtocolError(uri));
      const bytes = await resourceBytes(content, TOO_LARGE).catch(toProtocolError(uri));
      return asked.path === "SKILL.md" ? { text: Buffer.from(bytes).toString("utf8") } : { bytes };
    },
    async readDirectory(uri, _page, { mcpReq: { signal } }) {
      const asked = parseSkillUri(uri);
      const skill = asked && (await loaded(asked.name, { signal }).catch(toProtocolError(uri)));
      return skill && directoryOf(skill, asked.path);
    },
    /** Lists one resource for each skill, for hosts without the extension. */
    async listResources({ mcpReq: { signal } }) {
      return resourcesOf(await listed({ signal }));
    },
  };
}

/** Keeps the resources of each snapshot across requests: hosts list them often, and each request over HTTP has a new `catalogueSource`. */
const resourcesBySkills = new WeakMap<CatalogSnapshot["skills"], readonly Resource[]>();

function resourcesOf(skills: CatalogSnapshot["skills"]): Resource[] {
  const resources =
    resourcesBySkills.get(skills) ??
    skills.map(({ name, description }) => ({
      ...{ uri: skillUri(name, "SKILL.md"), mimeType: "text/markdown" },
      ...{ name: shownLine(name), description: shownText(description) },
    }));
  resourcesBySkills.set(skills, resources);
  return [...resources];
}

function entryOf({ name, frontmatter, manifest }: Skill): Entry {
  return {
    uri: skillUri(name, "SKILL.md"),
    frontmatter: frontmatter as Entry["frontmatter"],
    resources: manifest.files.map(({ path, sha256, size }) => ({
      uri: skillUri(name, path),
      digest: `sha256:${sha256}`,
      size,
    })),
  };
}
