import { z } from "@hono/zod-openapi";

export const conversationId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, - and _");

export const inConversation = z.object({ conversation: conversationId });

export const inTurn = inConversation.extend({ turn: conversationId });

export const diagnosticSchema = z
  .looseObject({
    code: z.string(),
    severity: z.enum(["error", "warning", "info"]),
    message: z.string(),
    hint: z.string().optional(),
    path: z.string().optional(),
    line: z.int().optional(),
    column: z.int().optional(),
  })
  .openapi("Diagnostic");

export const usageSchema = z
  .object({ turns: z.int(), steps: z.int(), inputTokens: z.int(), outputTokens: z.int() })
  .openapi("Usage");

/** What an approval covers: this call, the same content, or everything of its source. */
export const answerSchema = z
  .union([
    z.strictObject({ allow: z.enum(["once", "digest", "source"]) }),
    z.strictObject({ refuse: z.string().max(1000) }),
  ])
  .openapi("ApprovalAnswer");

export const conversationSchema = z
  .object({
    id: conversationId,
    agent: z.string(),
    title: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    usage: usageSchema,
  })
  .openapi("Conversation");

/** A turn that runs, or that another process is to resume. */
export const activeTurnSchema = z
  .object({ id: z.string(), startedAt: z.iso.datetime() })
  .openapi("ActiveTurn");

export const messageSchema = z
  .object({
    id: z.string(),
    role: z.enum(["user", "assistant"]),
    parts: z.array(z.looseObject({ type: z.string() })),
  })
  .openapi("Message");

export const fileSchema = z
  .object({ path: z.string(), size: z.int(), mimeType: z.string(), modifiedMs: z.number() })
  .openapi("File");

export const uploadSchema = fileSchema
  .extend({ skillPath: z.string(), changed: z.boolean() })
  .openapi("Upload");

export const artifactSchema = z
  .object({
    name: z.string(),
    version: z.int(),
    size: z.int(),
    mimeType: z.string(),
    sha256: z.string(),
    createdAt: z.iso.datetime(),
    metadata: z.record(z.string(), z.string()),
  })
  .openapi("Artifact");

export const approvalSchema = z
  .object({
    id: z.string(),
    conversation: conversationId,
    callId: z.string().optional(),
    action: z.string(),
    skill: z.string().optional(),
    source: z.string().optional(),
    digest: z.string().optional(),
    subject: z.string(),
    reason: z.string(),
    changes: z
      .array(z.object({ path: z.string(), change: z.enum(["added", "changed", "removed"]) }))
      .optional(),
    approvedDigest: z.string().optional(),
    staleDigest: z.string().optional(),
    choices: z.array(z.enum(["once", "digest", "source"])),
    createdAt: z.iso.datetime(),
    answer: answerSchema.optional(),
    decide: z.string(),
  })
  .openapi("Approval");

export const workspaceSchema = z
  .object({
    id: z.string(),
    conversation: z.string(),
    state: z.enum(["ready", "paused", "destroying"]),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
  })
  .openapi("Workspace");

/** A body of bytes. */
export const bytesSchema = z.string().openapi({ format: "binary" });
