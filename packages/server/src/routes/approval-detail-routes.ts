import { z } from "@hono/zod-openapi";
import type { CallOptions } from "@skillwright/core";
import type { ApprovalQuestion } from "@skillwright/tools";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { problemResponse } from "../http/problem.js";
import { approvalSchema, diagnosticSchema, inConversation } from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";
import { comparedSkill } from "../skills/compared-skill.js";
import { skillFindings } from "../skills/skill-findings.js";
import { approvalData } from "../turns/data-parts.js";
import { turnPaths } from "../turns/turn-paths.js";

const detail = z
  .object({
    approval: approvalSchema,
    /** The skill has the digest that is asked for. */
    isCurrent: z.boolean(),
    files: z.array(
      z.object({
        path: z.string(),
        change: z.enum(["added", "changed", "removed"]),
        before: z.string().optional(),
        after: z.string().optional(),
      }),
    ),
    findings: z.array(diagnosticSchema),
  })
  .openapi("ApprovalDetail");

/** What a person needs to decide. */
export function approvalDetailRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, approvals, basePath } = parts;
  endpoint(
    router,
    {
      ...{ method: "get", path: "/conversations/{conversation}/approvals/{approval}" },
      ...{ operationId: "getApproval", tags: ["approvals"] },
      summary:
        "Returns a question, also an answered one, with the texts of files that are to be written, or that changed since the last approval, and findings of the linter.",
      request: { params: inConversation.extend({ approval: z.string().min(1).max(64) }) },
      responses: { 200: jsonAnswer("The question.", detail) },
    },
    async ({ user, params, signal }) => {
      await conversations.get(user.id, params.conversation, { signal });
      const scope = conversations.scopeOf(user.id, params.conversation);
      const known = await approvals?.get(scope, params.approval, { signal });
      if (known?.request.session.session !== params.conversation)
        return problemResponse("NOT_FOUND", `The conversation has no question "${params.approval}".`);
      const paths = turnPaths(basePath, { scope: known.request.session, turn: "" });
      const approval = approvalData(known, paths.decide(known.id));
      if (known.request.action === "write") return json({ approval, ...aboutWriting(known) });
      return json({ approval, ...(await aboutSkill(known, parts, { signal })) });
    },
  );
}

/** A question about a change contains the texts itself; its skill may not exist yet. */
function aboutWriting({ request: { changes = [], findings = [] }, staleDigest }: ApprovalQuestion) {
  return { isCurrent: staleDigest === undefined, files: changes, findings };
}

async function aboutSkill(
  { request, approvedDigest: before }: ApprovalQuestion,
  { skills, content }: ServerParts,
  options: CallOptions,
) {
  const { skill, digest, changes = [] } = request;
  // If the skill cannot be loaded, its content is not what the question was about.
  const loaded = skill === undefined ? undefined : await skills.load(skill, options).catch(() => undefined);
  return {
    isCurrent: loaded === undefined ? skill === undefined : loaded.digest === digest,
    files:
      loaded && before !== undefined
        ? await comparedSkill({ skills, content }, loaded.name, { before, changes }, options)
        : changes,
    findings: loaded ? await skillFindings(skills, loaded, options) : [],
  };
}
