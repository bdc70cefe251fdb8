import { createHash } from "node:crypto";
import { SKILL_LIMITS, SkillError, type SkillVersion, type WritableSkillRepository } from "@skillwright/core";
import type { OpenedArchiveLimits } from "../../archive-opener.js";
import { checkLabel, labelsOf } from "../registry-labels.js";
import { MARK_HEADER, markText, skillMark } from "../skill-mark.js";
import { errorAnswer, jsonAnswer, textAnswer } from "./error-answer.js";
import { isVersioned, type ServedSkill, servedSkill } from "./packed-skill.js";
import { publishedFiles } from "./published-files.js";
import { registryChanges } from "./registry-changes.js";
import { registryIndex } from "./registry-index.js";
import type { RegistryAction, RegistryHandlerOptions } from "./registry-options.js";
import { requestBody } from "./request-body.js";

const MEBIBYTE = 1024 * 1024;
const MAX_WAIT_MS = 25_000;

/**
 * Serves a repository as a registry of skills: an index of Agent Skills Discovery 0.2.0 below `/.well-known/`, with the
 * versions and labels of each skill, and the calls of `httpRegistry` below `/v1/`. It works with any server that has
 * the `Request` and `Response` of the Fetch API.
 *
 * Without `authorize`, everyone may read and nobody may change anything. What is published must have the announced
 * digest over all files, passes the rules of archives, and becomes a new version; versions never change. A request for
 * changes waits up to 25 seconds. The handler keeps nothing open; the caller closes the repository.
 *
 * It never rejects: errors are answers with a status and `{ error: { code, message } }`.
 */
export function registryHandler(options: RegistryHandlerOptions): (request: Request) => Promise<Response> {
  const { repository, writeArchive, openArchive, authorize, labels, onError } = options;
  const base = `/${(options.path ?? "/").split("/").filter(Boolean).join("/")}/`.replace("//", "/");
  const limits: OpenedArchiveLimits = {
    ...SKILL_LIMITS,
    archiveBytes: 32 * MEBIBYTE,
    treeFiles: SKILL_LIMITS.files,
    treeBytes: SKILL_LIMITS.bytes,
    ...options.limits,
  };
  const changes = registryChanges();
  const index = registryIndex({
    onError,
    serve: (name) => serve(name, undefined),
    versions: async (name) => (isVersioned(repository) ? await repository.versions(name) : undefined),
    archiveQuery: (skill, version) =>
      new URLSearchParams({ skill, ...(version !== undefined && { version }) }).toString(),
  });

  return async (request) => {
    try {
      return await answer(request, new URL(request.url));
    } catch (error) {
      const reason = SkillError.from(error, "The request");
      const failed = errorAnswer(reason);
      if (failed.status === 500) onError?.(error);
      return failed;
    }
  };

  async function answer(request: Request, { pathname, searchParams }: URL): Promise<Response> {
    const place = pathname.startsWith(base) ? pathname.slice(base.length) : "";
    const method = request.method === "HEAD" ? "GET" : request.method;
    const skill = searchParams.get("skill") ?? undefined;
    const may = (action: RegistryAction): Promise<void> => permit(request, action, skill);
    const named = (): string => required(skill, "skill");
    switch (`${method} ${place}`) {
      case "GET .well-known/agent-skills/index.json":
        await may("read");
        return tagged(request, await index(await repository.list(), (await labels?.read()) ?? {}));
      case "GET v1/skills":
        await may("read");
        return tagged(request, await repository.list());
      case "GET v1/archive":
        await may("read");
        return await archive(request, await serve(named(), searchParams.get("version") ?? undefined));
      case "GET v1/versions":
        await may("read");
        return jsonAnswer({ versions: await versionsOf(named()) });
      case "GET v1/labels":
        await may("read");
        return jsonAnswer({ labels: await labelsOf(offered(labels, "has no labels"), named()) });
      case "GET v1/changes":
        await may("read");
        return jsonAnswer({ revision: await changed(request, searchParams) });
      case "PUT v1/skill":
        await may("publish");
        return await publish(request, named(), searchParams);
      case "DELETE v1/skill": {
        await may("delete");
        const removed = await writable().delete(named());
        changes.tell();
        return jsonAnswer({ removed });
      }
      case "PUT v1/label":
        await may("label");
        return await label(named(), searchParams, required(searchParams.get("version"), "version"));
      case "DELETE v1/label":
        await may("label");
        return await label(named(), searchParams, undefined);
      default:
        throw new SkillError(
          "FILE_NOT_FOUND",
          "The registry has no such address. Use the address of its index.",
        );
    }
  }

  /** @throws SkillError `REFUSED`. */
  async function permit(request: Request, action: RegistryAction, skill: string | undefined): Promise<void> {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const permitted = authorize ? await authorize({ action, skill, token, request }) : action === "read";
    if (permitted === true) return;
    const needsToken = authorize !== undefined && token === undefined;
    const remedy = needsToken ? "Give a bearer token." : "Ask who runs the registry.";
    throw new SkillError("REFUSED", `The registry does not permit this (${action}). ${remedy}`, {
      details: { needsToken },
    });
  }

  async function serve(name: string, version: string | undefined): Promise<ServedSkill> {
    return await servedSkill({ repository, writeArchive, labels }, name, { version });
  }

  async function archive(request: Request, { mark, etag, pack }: ServedSkill): Promise<Response> {
    const headers = { etag, "cache-control": "no-cache", [MARK_HEADER]: markText(mark) };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    const bytes = await pack();
    return new Response(request.method === "HEAD" ? null : Buffer.from(bytes), {
      headers: { ...headers, "content-type": "application/zip", "x-content-type-options": "nosniff" },
    });
  }

  async function versionsOf(name: string): Promise<readonly SkillVersion[]> {
    return isVersioned(repository) ? await repository.versions(name) : [];
  }

  async function publish(request: Request, name: string, query: URLSearchParams): Promise<Response> {
    const place = writable();
    const opener = offered(openArchive, "accepts no uploads");
    const bytes = await requestBody(request, limits.archiveBytes);
    const digest = required(query.get("digest"), "digest");
    const files = await publishedFiles(bytes, { name, digest }, opener, limits);
    const existing = query.get("existing") === "refuse" ? "refuse" : "replace";
    const skill = await place.upload(files, { existing });
    changes.tell();
    return jsonAnswer({ skill: skillMark(skill), diagnostics: skill.diagnostics });
  }

  function writable(): WritableSkillRepository {
    if ("upload" in repository) return repository as WritableSkillRepository;
    throw new SkillError("UNSUPPORTED", "This registry is read-only.");
  }

  async function label(name: string, query: URLSearchParams, version: string | undefined): Promise<Response> {
    const store = offered(labels, "has no labels");
    const moved = checkLabel(required(query.get("label"), "label"));
    const known = version === undefined ? [] : await versionsOf(name);
    const found = known.find((one) => one.version === version) ?? known.find((one) => one.digest === version);
    if (version !== undefined && !found)
      throw new SkillError(
        "SKILL_NOT_FOUND",
        `There is no version ${JSON.stringify(version.slice(0, 80))} of "${name}".`,
      );
    if (known.some((one) => one.version === moved))
      throw new SkillError("CONFLICT", `"${moved}" is the name of a version. Choose another label.`);
    const { [moved]: before } = await labelsOf(store, name);
    await store.move(name, moved, found?.version);
    changes.tell();
    return jsonAnswer({ label: moved, version: found?.version ?? null, before: before ?? null });
  }

  async function changed(request: Request, query: URLSearchParams): Promise<string> {
    const wait = Math.min(Number(query.get("wait") ?? 0) || 0, MAX_WAIT_MS);
    const since = query.get("since");
    // Listening begins before the first look, so that no change falls between the two.
    const stop = new AbortController();
    const next = changes.next(since === null ? 0 : wait, AbortSignal.any([request.signal, stop.signal]));
    try {
      const now = await revision();
      if (now !== since) return now;
      await next;
    } finally {
      stop.abort();
    }
    await repository.refresh();
    return await revision();
  }

  async function revision(): Promise<string> {
    return digestOf(JSON.stringify([await repository.list(), await labels?.read()]));
  }
}

function tagged(request: Request, body: object): Response {
  const text = JSON.stringify(body);
  const etag = `"${digestOf(text)}"`;
  if (request.headers.get("if-none-match") === etag)
    return new Response(null, { status: 304, headers: { etag } });
  return textAnswer(text, { headers: { etag } });
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

/** @throws SkillError `UNSUPPORTED` for a part that the registry was not given. */
function offered<T>(part: T | undefined, otherwise: string): T {
  if (part !== undefined) return part;
  throw new SkillError("UNSUPPORTED", `This registry ${otherwise}.`);
}

/** @throws SkillError `INPUT_INVALID` for a missing parameter. */
function required(value: string | null | undefined, name: string): string {
  if (value !== undefined && value !== null) return value;
  throw new SkillError("INPUT_INVALID", `The request has no parameter "${name}". Add it.`);
}
