import { SkillError, type SkillErrorCode } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { shownAddress } from "../../address/shown-address.js";
import type { HttpSettings } from "../../http-settings.js";
import type { Answer, Downloads } from "../../transfer/downloads.js";

/** Calls of a registry. Each throws the registry's own error with its code, or one about the connection. */
export interface RegistryCalls {
  json(
    method: "GET" | "PUT" | "DELETE",
    call: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
    body?: Uint8Array,
  ): Promise<unknown>;
  /** `undefined` where the registry answers that nothing changed since the tag. */
  archive(
    query: Readonly<Record<string, string>>,
    etag: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer | undefined>;
}

/** The codes that a registry answers. Any other is one about the registry itself. */
const CODES: ReadonlySet<string> = new Set([
  "CONFLICT",
  "DIGEST_MISMATCH",
  "FILE_NOT_FOUND",
  "INPUT_INVALID",
  "LIMIT_EXCEEDED",
  "PATH_INVALID",
  "PATH_OUTSIDE",
  "REFUSED",
  "SKILL_EXISTS",
  "SKILL_INVALID",
  "SKILL_NOT_FOUND",
  "UNSUPPORTED",
] satisfies SkillErrorCode[]);
const MAX_MESSAGE = 1000;

export function registryCalls({ url, limits }: HttpSettings, transfer: Downloads): RegistryCalls {
  const base = new URL(url.pathname.endsWith("/") ? url : `${url.href}/`);

  function addressOf(call: string, query: Readonly<Record<string, string>>): URL {
    const address = new URL(`v1/${call}`, base);
    address.search = new URLSearchParams(query).toString();
    return address;
  }

  return {
    async json(method, call, query, signal, body) {
      const at = addressOf(call, query);
      const headers = body && { "content-type": "application/zip" };
      const answer = await transfer.send(at, { method, body, headers, limit: limits.indexBytes, signal });
      if (answer.status === 200) return parsed(answer, at);
      throw refusal(answer, at);
    },

    async archive(query, etag, signal) {
      const at = addressOf("archive", query);
      const headers = etag === undefined ? undefined : { "if-none-match": etag };
      const answer = await transfer.send(at, { method: "GET", headers, limit: limits.archiveBytes, signal });
      if (answer.status === 304 && etag !== undefined) return undefined;
      if (answer.status === 200) return answer;
      throw refusal(answer, at);
    },
  };
}

function parsed({ bytes }: Answer, at: URL): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new SkillError(
      "BACKEND_FAILED",
      `${shownAddress(at)} did not answer with JSON, so it is no registry of skills. Check the address.`,
    );
  }
}

/** The text comes from the registry, so it is cut and shown on one line. */
function refusal({ status, bytes }: Answer, at: URL): SkillError {
  const { code, message } = toldError(bytes);
  if (typeof code === "string" && CODES.has(code) && typeof message === "string")
    return new SkillError(code as SkillErrorCode, shownLine(message.slice(0, MAX_MESSAGE)), {
      details: { status },
    });
  const remedy = status === 404 ? "Check that the address is one of a registry." : "Try again later.";
  return new SkillError("BACKEND_FAILED", `${shownAddress(at)} answered ${status}. ${remedy}`, {
    details: { status },
  });
}

function toldError(bytes: Uint8Array): { readonly code?: unknown; readonly message?: unknown } {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)).error ?? {};
  } catch {
    return {};
  }
}
