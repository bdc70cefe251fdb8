import type { SkillError, SkillErrorCode } from "@skillwright/core";

const STATUS: Partial<Record<SkillErrorCode, number>> = {
  SKILL_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  SKILL_EXISTS: 409,
  CONFLICT: 409,
  SKILL_INVALID: 422,
  PATH_INVALID: 422,
  PATH_OUTSIDE: 422,
  DIGEST_MISMATCH: 422,
  INPUT_INVALID: 400,
  LIMIT_EXCEEDED: 413,
  REFUSED: 403,
  UNSUPPORTED: 405,
  ABORTED: 503,
};

/**
 * The answer for a failed request: the error's code and message as JSON. Failures of the registry itself have a neutral
 * message, because theirs may name its storage.
 */
export function errorAnswer(error: SkillError): Response {
  const { code, message, details } = error;
  const status = code === "REFUSED" && details["needsToken"] === true ? 401 : (STATUS[code] ?? 500);
  const told =
    status === 500
      ? { code: "BACKEND_FAILED", message: "The registry failed. Try again later, or ask who runs it." }
      : { code, message };
  return jsonAnswer(
    { error: told },
    { status, ...(status === 401 && { headers: { "www-authenticate": "Bearer" } }) },
  );
}

/** A JSON answer that no cache may keep without asking again. */
export function jsonAnswer(body: object, options?: AnswerOptions): Response {
  return textAnswer(JSON.stringify(body), options);
}

/** As `jsonAnswer`, for JSON that is a text already. */
export function textAnswer(json: string, { status = 200, headers = {} }: AnswerOptions = {}): Response {
  return new Response(json, {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
}
