import { SkillError } from "@skillwright/core";
import { APICallError, RetryError } from "ai";

/** Converts a failure of a model server to `BACKEND_FAILED` with a remedy. Never contains a key. */
export function modelFailure(error: unknown, model: string): SkillError {
  if (SkillError.is(error)) return error;
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const status = APICallError.isInstance(cause) ? cause.statusCode : undefined;
  const details = status === undefined ? { model } : { model, status };
  const text = `The model ${model} gave no answer: ${withFullStop(reason)} ${remedy(status, cause)}`;
  return new SkillError("BACKEND_FAILED", text, { cause: error, details });
}

function remedy(status: number | undefined, cause: unknown): string {
  if (status === 401 || status === 403)
    return "Check that the API key is correct and has access to this model.";
  if (status === 404)
    return "Check the model's name (--model provider:name in the terminal) and the server's address.";
  if (status === 413 || status === 400)
    return "Check the model's name; a long conversation may need to be compacted or reset.";
  if (status === 429) return "The server's rate limit or quota was reached; wait, or use another model.";
  if (status !== undefined && status >= 500) return "The server has a problem; try again later.";
  if (APICallError.isInstance(cause))
    return "Check the network and the server's address (baseURL; OPENAI_BASE_URL in the terminal).";
  return "Try again; if it keeps failing, use another model (--model provider:name in the terminal).";
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
