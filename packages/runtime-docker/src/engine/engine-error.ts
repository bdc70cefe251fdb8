import { SkillError } from "@skillwright/core";

const LONGEST_ANSWER = 500;

/** Converts a failed engine call to a uniform error with a remedy. A `SkillError` is returned unchanged. */
export function engineError(error: unknown, what: string, host: string): SkillError {
  if (SkillError.is(error)) return error;
  const statusCode = statusAsDocker(error);
  const answer = answerOf(error);
  const remedy = statusCode !== undefined ? answeredRemedy(statusCode, answer) : connectionRemedy(error);
  const details = { host, ...(statusCode !== undefined ? { statusCode } : {}) };
  const message = remedy.replace("{host}", () => host).replace("{answer}", () => answer);
  return new SkillError("BACKEND_FAILED", `${what} failed: ${message}`, { cause: error, details });
}

/** The status of the engine's answer, if it answered. */
export function statusOf(error: unknown): number | undefined {
  const status = SkillError.is(error) ? error.details["statusCode"] : undefined;
  return typeof status === "number" ? status : undefined;
}

/** True where the call was given up at the deadline. */
export function isTooLate(error: unknown): boolean {
  return SkillError.is(error, "BACKEND_FAILED") && error.details["timeoutMs"] !== undefined;
}

/** True where no engine could be reached at all. */
export function isUnreachable(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return code !== undefined && (NOBODY_THERE.has(code) || NO_PERMISSION.has(code) || NO_WAY.has(code));
}

/** True where the connection ended before there was an answer. */
export function isCutOff(error: unknown): boolean {
  const cause = SkillError.is(error) ? error.cause : error;
  const { code = "" } = (cause ?? {}) as NodeJS.ErrnoException;
  return CUT_OFF.has(code) || /socket hang up/.test(String(cause));
}

/** Podman answers with 500 where Docker has a specific status; the meaning is in the message. */
function statusAsDocker(error: unknown): number | undefined {
  const { statusCode, json } = error as { statusCode?: unknown; json?: { cause?: unknown } | null };
  if (typeof statusCode !== "number") return undefined;
  if (statusCode !== 500) return statusCode;
  const cause = String(json?.cause ?? "");
  if (/^no such (container|volume|image|exec)/.test(cause)) return 404;
  return /^(container state improper|.*already in use|volume is being used)/.test(cause) ? 409 : 500;
}

const NOBODY_THERE = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK", "ENOTDIR"]);
const NO_PERMISSION = new Set(["EACCES", "EPERM"]);
const NO_WAY = new Set(["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);
const CUT_OFF = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "ERR_STREAM_PREMATURE_CLOSE"]);

function connectionRemedy(error: unknown): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (NOBODY_THERE.has(code))
    return "no container engine was found at {host}. Start Docker or Podman, or give its address with DOCKER_HOST or the option engine.host.";
  if (NO_PERMISSION.has(code))
    return "this user has no access to the container engine at {host}. Add the user to the group that owns the socket (usually docker) and log in again, or use a rootless engine.";
  if (NO_WAY.has(code)) return "{host} cannot be reached ({answer}). Check the address and the network.";
  if (isCutOff(error))
    return "the container engine at {host} closed the connection during the call; it may have been restarted. The call may or may not have taken effect. Check before you try again.";
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HPE_)/.test(code))
    return "no TLS connection to {host} could be established ({answer}). Check the TLS files of the option engine, or DOCKER_CERT_PATH and DOCKER_TLS_VERIFY.";
  return "{answer}";
}

function answeredRemedy(status: number, answer: string): string {
  if (/no space left on device|disk quota exceeded/i.test(answer))
    return "the disk of the engine at {host}, or the workspace's storage, is full ({answer}). Free space, for instance with docker system prune, or raise storageBytes.";
  if (status === 401 || status === 403)
    return "the engine at {host} refused the call ({answer}). Check the permissions of this user there.";
  if (status === 404) return "the engine at {host} did not find it ({answer}).";
  if (status === 409) return "the engine at {host} cannot do that now ({answer}).";
  if (status === 400)
    return "the engine at {host} rejected the request as invalid ({answer}). Check the options.";
  return "the engine at {host} responded with {answer}.";
}

function answerOf(error: unknown): string {
  const { json, message } = error as { json?: unknown; message?: unknown };
  const told = (json as { message?: unknown } | null | undefined)?.message;
  const text = typeof told === "string" && told !== "" ? told : String(message ?? error);
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > LONGEST_ANSWER ? `${line.slice(0, LONGEST_ANSWER)}…` : line;
}
