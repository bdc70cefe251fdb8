import { SkillError } from "@skillwright/core";
import type { ClusterCall } from "./cluster.js";

/** What the API server sends in place of an object. */
interface Status {
  readonly message?: string;
  readonly reason?: string;
}

/**
 * The error for an answer that is not a success: `CONFLICT` for an object that exists, `LIMIT_EXCEEDED` for a quota,
 * `BACKEND_FAILED` for all others; the message for a missing right names it.
 */
export function answerError(
  { doing, method = "GET", path }: ClusterCall,
  status: number,
  text: string,
): SkillError {
  const { message: said = text.slice(0, 500), reason } = parsed(text);
  const message = said.replace(/\.$/, "");
  const details = { status, reason };
  const failed = (rest: string) => `${doing} failed: ${rest}`;
  if (status === 409 && reason === "AlreadyExists")
    return new SkillError("CONFLICT", failed("an object with this name exists. Choose another id."), {
      details,
    });
  if (status === 403 && /exceeded quota/.test(message))
    return new SkillError(
      "LIMIT_EXCEEDED",
      failed(`${message}. Remove unneeded workspaces, or raise the quota of the namespace.`),
      { details },
    );
  if (status === 403 && STARTING.test(message))
    return new SkillError("BACKEND_FAILED", failed(`${message}. Try again in a minute.`), {
      details,
    });
  if (isRule(message) && (status === 400 || status === 403 || status === 422))
    return new SkillError(
      "BACKEND_FAILED",
      failed(
        `the cluster's admission refused it: ${message}. Change the policy of the namespace, or the options of the runtime.`,
      ),
      { details },
    );
  if (status === 401 || status === 403)
    return new SkillError(
      "BACKEND_FAILED",
      failed(
        `the API server answered ${status} to ${method} ${path.split("?")[0]}: ${message}. ${GIVE_RIGHT}`,
      ),
      { details },
    );
  return new SkillError(
    "BACKEND_FAILED",
    failed(
      `the API server answered ${status}: ${message}. Try again, or check the API server and the options of the runtime.`,
    ),
    { details },
  );
}

const GIVE_RIGHT = "Give the service account this right, as deploy/kubernetes does, or check its token.";

/** The same error where the server may just not know the right yet. */
export function perhapsStarting(missingRight: unknown): unknown {
  if (!SkillError.is(missingRight)) return missingRight;
  const { code, message, details } = missingRight;
  const remedy =
    "Try again in a minute: the API server may have just started. If it still refuses, give the service account this right, as deploy/kubernetes does, or check its token.";
  return new SkillError(code, message.replace(GIVE_RIGHT, remedy), { details, cause: missingRight });
}

/** True where a rule of the namespace forbids the object, whoever asks for it. */
function isRule(message: string): boolean {
  if (/violates PodSecurity|denied (?:the )?request|admission|pod rejected/i.test(message)) return true;
  return / is forbidden: /.test(message) && !REFUSED_RIGHT.test(message);
}

const REFUSED_RIGHT = / cannot [a-z]+ (?:resource|path) /;

function parsed(text: string): Status {
  try {
    return JSON.parse(text) as Status;
  } catch {
    return {};
  }
}

/** @param wasThere True where the server answered this process before. */
export function unreachable(
  { doing }: Pick<ClusterCall, "doing">,
  server: string,
  cause: NodeJS.ErrnoException,
  wasThere = false,
): SkillError {
  const { code = "" } = cause;
  const isLost = code === "ECONNRESET" || code === "EPIPE" || (wasThere && code === "ECONNREFUSED");
  return new SkillError(
    "BACKEND_FAILED",
    `${doing} failed: the API server ${server} could not be reached (${cause.message}). Check the address in the kubeconfig, and whether the server runs.`,
    { cause, details: { reason: isLost ? LOST : "Unreachable" } },
  );
}

/** The reason where the server went away for a while, and may have done what was asked. */
export const LOST = "ConnectionLost";

/** True where the server knows nobody with this token, or no right of its user. */
export function isMissingRight(error: unknown): boolean {
  const status = statusOf(error);
  return status === 401 || (status === 403 && REFUSED_RIGHT.test(String(error)));
}

/** True where the server or the namespace is so new that the server cannot apply the rules of the namespace yet. */
export function isStarting(error: unknown): boolean {
  return statusOf(error) === 403 && STARTING.test(String(error));
}

const STARTING = /not yet ready to handle request|error looking up service account/;

/** The HTTP status that an error came with. */
export function statusOf(error: unknown): number | undefined {
  const status = SkillError.is(error) ? error.details["status"] : undefined;
  return typeof status === "number" ? status : undefined;
}

/** The reason in the answer of the API server, such as `AlreadyExists`. */
export function reasonOf(error: unknown): unknown {
  return SkillError.is(error) ? error.details["reason"] : undefined;
}
