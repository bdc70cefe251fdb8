import { z } from "@hono/zod-openapi";
import type { CallOptions, CatalogSkill, SkillCatalog, WritableSkillCatalog } from "@skillwright/core";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { diagnosticSchema } from "../http/schemas.js";
import { textStart } from "../http/text-start.js";
import type { ServerParts } from "../parts/server-parts.js";
import { skillFindings } from "../skills/skill-findings.js";

const skill = z
  .object({
    name: z.string(),
    description: z.string(),
    source: z.string(),
    trusted: z.boolean(),
    version: z.string().optional(),
    diagnostics: z.array(diagnosticSchema),
  })
  .openapi("Skill");

const list = z.object({
  skills: z.array(skill),
  /** Skills that cannot be used as they are, with the reasons. */
  broken: z.array(z.object({ path: z.string(), source: z.string(), diagnostics: z.array(diagnosticSchema) })),
  /** What is left out, shadowed or out of date, and why. */
  diagnostics: z.array(diagnosticSchema),
});

const detail = skill
  .extend({
    digest: z.string(),
    body: z.string(),
    files: z.array(
      z.object({ path: z.string(), size: z.int(), executable: z.boolean(), sha256: z.string() }),
    ),
    findings: z.array(diagnosticSchema),
    /** Newest first; empty where the source keeps one. */
    versions: z.array(
      z.object({ version: z.string(), digest: z.string(), createdAt: z.string(), by: z.string().optional() }),
    ),
  })
  .openapi("SkillDetail");

const tags = ["skills"];

/** The skills that the agents have. */
export function skillRoutes(router: ServerRouter, { skills }: ServerParts): void {
  endpoint(
    router,
    {
      ...{ method: "get", path: "/skills", operationId: "listSkills", tags },
      summary: "Lists usable and broken skills, and why others are left out or shadowed.",
      responses: { 200: jsonAnswer("The catalogue.", list) },
    },
    async ({ signal }) => {
      const { skills: all, broken, diagnostics } = await skills.snapshot({ signal });
      return json({ skills: all.map(shown), broken, diagnostics });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: "/skills/search", operationId: "searchSkills", tags },
      summary: "Returns the best matches for words in names and descriptions, best first.",
      request: {
        query: z.object({
          query: z.string().min(1).max(400),
          limit: z.coerce.number().int().min(1).max(50).default(10),
        }),
      },
      responses: {
        200: jsonAnswer("The matches.", z.array(z.object({ skill, score: z.number() }))),
      },
    },
    async ({ query: { query, limit }, signal }) => {
      const hits = await skills.search(query, { limit, signal });
      return json(hits.map(({ skill: hit, score }) => ({ skill: shown(hit), score })));
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: "/skills/{name}", operationId: "getSkill", tags },
      summary: "Returns a skill with its instructions, files and findings of the linter.",
      request: { params: z.object({ name: z.string().min(1).max(1024) }) },
      responses: { 200: jsonAnswer("The skill.", detail) },
    },
    async ({ params, signal }) => {
      const loaded = await skills.load(params.name, { signal });
      const { body, digest, manifest } = loaded;
      const findings = await skillFindings(skills, loaded, { signal });
      const versions = await versionsOf(skills, loaded, { signal });
      return json({ ...shown(loaded), digest, body, files: manifest.files, findings, versions });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: "/skills/{name}/text", operationId: "readSkillFile", tags },
      summary: "Returns the beginning of a skill's file as text.",
      request: {
        params: z.object({ name: z.string().min(1).max(1024) }),
        query: z.object({ path: z.string().min(1).max(4096) }),
      },
      responses: { 200: jsonAnswer("The text.", z.object({ text: z.string(), truncated: z.boolean() })) },
    },
    async ({ params, query, signal }) =>
      json(await textStart(await skills.open(params.name, query.path, { signal }), MAX_TEXT_BYTES)),
  );
}

const MAX_TEXT_BYTES = 256 * 1024;

async function versionsOf(
  skills: SkillCatalog & Partial<Pick<WritableSkillCatalog, "versions">>,
  { source, name }: Pick<CatalogSkill, "source" | "name">,
  options: CallOptions,
) {
  // The page shows the skill also where its versions cannot be listed.
  return (await skills.versions?.(source, name, options).catch(() => [])) ?? [];
}

function shown({ name, description, source, trusted, version, diagnostics }: CatalogSkill) {
  return { name, description, source, trusted, version, diagnostics };
}
