import { z } from "@hono/zod-openapi";
import { SkillError, type SkillErrorCode } from "@skillwright/core";
import { clientText, isWithheld } from "./client-text.js";

/** The answer to a request that failed, as RFC 9457 has it. */
export const problemSchema = z
  .object({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.int(),
    /** What was given and what is wrong with it. */
    detail: z.string(),
    code: z.string(),
    /** What holds for such requests. */
    rule: z.string(),
    remedy: z.string(),
    /** Identifies a failure of the server, so that its operator finds the cause in the log. */
    requestId: z.string().optional(),
  })
  .openapi("Problem");

type Problem = z.output<typeof problemSchema>;

/** Answers with a problem. `detail` names the thing, the rule and the remedy of this one. */
export function problemResponse(
  code: ProblemCode,
  detail: string,
  headers?: Record<string, string>,
  requestId?: string,
): Response {
  const { status, title, rule, remedy } = KINDS[code];
  const named = requestId === undefined ? {} : { requestId };
  const problem: Problem = { type: "about:blank", title, status, detail, code, rule, remedy, ...named };
  return new Response(JSON.stringify(problem), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}

/** The problem for an error, with the text of `clientText`. The text of an error that is no `SkillError` is not shown. */
export function problemOf(error: unknown, requestId?: string): Response {
  const detail = SkillError.is(error)
    ? clientText(error)
    : "The server failed while it answered this request.";
  return problemResponse(codeOf(error), detail, undefined, requestId);
}

/**
 * True for a failure that the operator should hear about: not for mistakes of clients, aborted requests, or a closed server.
 * Always true if the client does not get the message.
 */
export function isServerFailure(error: unknown): boolean {
  if (isWithheld(error)) return true;
  const code = codeOf(error);
  return KINDS[code].status >= 500 && code !== "ABORTED" && code !== "CLOSED";
}

function codeOf(error: unknown): ProblemCode {
  return SkillError.is(error) ? error.code : "INTERNAL";
}

/** The answer of a server that takes no new turns, because it is being closed. */
export function closingProblem(): Response {
  return problemResponse("CLOSED", "The server is being closed and takes no new turns. Use another one.", {
    "retry-after": "5",
  });
}

export type ProblemCode =
  | SkillErrorCode
  | "UNAUTHENTICATED"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "TOO_LARGE"
  | "TOO_SLOW"
  | "TOO_MANY_REQUESTS"
  | "HEADERS_TOO_LARGE"
  | "INTERNAL";

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly rule: string;
  readonly remedy: string;
}

const missing = (what: string): ProblemKind => ({
  status: 404,
  title: `No such ${what}`,
  rule: "A request sees what exists and belongs to its user.",
  remedy: `List what there is, and use the id or name of a ${what} from that list.`,
});

const bad: ProblemKind = {
  status: 400,
  title: "Invalid request",
  rule: "A request has the parameters and the body that the OpenAPI document describes.",
  remedy: "Change the request as the detail says.",
};

const failed: ProblemKind = {
  status: 500,
  title: "The server failed",
  rule: "A valid request is answered.",
  remedy: "Try again; if it keeps failing, give the operator of the server the requestId.",
};

const unavailable: ProblemKind = {
  status: 503,
  title: "The server cannot do this now",
  rule: "The server needs its stores and the place where commands run.",
  remedy:
    "Try again later; if it keeps failing, give the operator of the server the requestId, if there is one.",
};

const conflict: ProblemKind = {
  status: 409,
  title: "Conflict with the current state",
  rule: "A conversation has one turn at a time, and ids are used once.",
  remedy: "Wait until the other has ended, then send the request again.",
};

const KINDS: Readonly<Record<ProblemCode, ProblemKind>> = {
  UNAUTHENTICATED: {
    status: 401,
    title: "Not authenticated",
    rule: "A request names its user.",
    remedy: "Send the header Authorization: Bearer with a valid token.",
  },
  NOT_FOUND: missing("resource"),
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: "No such method here",
    rule: "A path has the methods that the OpenAPI document describes.",
    remedy: "Use a method of the header Allow.",
  },
  SESSION_NOT_FOUND: missing("conversation"),
  SKILL_NOT_FOUND: missing("skill"),
  FILE_NOT_FOUND: missing("file"),
  ARTIFACT_NOT_FOUND: missing("artifact"),
  WORKSPACE_NOT_FOUND: missing("workspace"),
  RUN_NOT_FOUND: missing("turn"),
  TOO_LARGE: {
    status: 413,
    title: "Content too large",
    rule: "The content of a request is limited.",
    remedy: "Send less.",
  },
  TOO_SLOW: {
    status: 408,
    title: "Request timeout",
    rule: "The headers of a request, and the body of one that is no upload, arrive within a time.",
    remedy: "Send the request again.",
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: "Request Header Fields Too Large",
    rule: "The address and the headers of a request have at most 16 KiB together.",
    remedy: "Send less.",
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    title: "Too many requests",
    rule: "A user may send a limited number of requests in a time.",
    remedy: "Wait as long as the header Retry-After says, then send the request again.",
  },
  LIMIT_EXCEEDED: {
    status: 413,
    title: "Limit exceeded",
    rule: "Sizes and counts are limited.",
    remedy: "Ask for less or send less.",
  },
  INPUT_INVALID: bad,
  PATH_INVALID: bad,
  PATH_OUTSIDE: bad,
  REFUSED: {
    status: 403,
    title: "Refused",
    rule: "The server's policy decides on what is requested.",
    remedy: "Ask the operator of the server.",
  },
  CONFLICT: conflict,
  SKILL_EXISTS: conflict,
  DIGEST_MISMATCH: conflict,
  UNSUPPORTED: {
    status: 422,
    title: "Not supported",
    rule: "Some capabilities depend on how the server is set up.",
    remedy: "Ask the operator of the server.",
  },
  SKILL_INVALID: { ...bad, status: 422, title: "The skill is broken" },
  WORKSPACE_DAMAGED: { ...conflict, title: "The workspace is damaged", remedy: "Destroy the workspace." },
  CONFIG_INVALID: failed,
  INTERNAL: failed,
  BACKEND_FAILED: unavailable,
  ISOLATION_UNAVAILABLE: unavailable,
  CLOSED: unavailable,
  ABORTED: unavailable,
};
