import { SkillError } from "@skillwright/core";
import type { EngineClient } from "../engine/engine-client.js";
import { engineError } from "../engine/engine-error.js";
import type { ImageOptions, PullProgress, RegistryCredentials } from "./image-options.js";

/** A pull without progress for this long has stalled. */
const SILENCE_MS = 120_000;
const LONGEST_LINE = 64 * 1024;

/**
 * Pulls the image and reports each step.
 * @throws SkillError `CONFIG_INVALID` where the registry does not have it or refuses it, `BACKEND_FAILED`.
 */
export async function pullImage(
  engine: EngineClient,
  image: string,
  { auth, onPull }: Pick<ImageOptions, "auth" | "onPull">,
): Promise<void> {
  const what = `Pulling the image ${image}`;
  const { reference, tag } = taggedReference(image);
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const credentials = auth && { authconfig: authConfig(auth, image) };
    const request = { fromImage: reference, tag, ...credentials, abortSignal: silence.signal };
    const stream = await engine.docker.createImage(request);
    for await (const line of linesOf(stream as AsyncIterable<Buffer>)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const told = toldBy(line, image);
      if (told.error !== undefined) throw new Error(told.error);
      if (told.progress) onPull?.(told.progress);
    }
  } catch (error) {
    if (silence.signal.aborted) throw halted(what, engine.host);
    throw pullError(engineError(error, what, engine.host), image, auth);
  } finally {
    clearTimeout(timer);
  }
}

/** Without a tag, the engine would pull all tags. */
function taggedReference(image: string): { reference: string; tag: string } {
  const digest = image.indexOf("@");
  if (digest !== -1) return { reference: image.slice(0, digest), tag: image.slice(digest + 1) };
  const colon = image.lastIndexOf(":");
  if (colon > image.lastIndexOf("/"))
    return { reference: image.slice(0, colon), tag: image.slice(colon + 1) };
  return { reference: image, tag: "latest" };
}

function authConfig({ username, password, server }: RegistryCredentials, image: string): object {
  const revealed = typeof password === "string" ? password : password.reveal();
  return { username, password: revealed, serveraddress: server ?? registryOf(image) };
}

/** A first part that looks like a host name is one; Docker's own registry has a legacy address. */
function registryOf(image: string): string {
  const [first = "", ...rest] = image.split("/");
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : "https://index.docker.io/v1/";
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = `${rest}${chunk.toString("utf8")}`.split("\n");
    rest = (lines.pop() ?? "").slice(-LONGEST_LINE);
    yield* lines;
  }
  yield rest;
}

function toldBy(line: string, image: string): { error?: string; progress?: PullProgress } {
  let told: PullLine;
  try {
    told = JSON.parse(line);
  } catch {
    return {};
  }
  if (typeof told?.error === "string") return { error: told.error };
  if (typeof told?.status !== "string") return {};
  const { status, id, progressDetail } = told;
  const layer = typeof id === "string" && progressDetail !== undefined ? { layer: id } : {};
  const { current, total } = progressDetail ?? {};
  return {
    progress: { image, status, ...layer, ...(current ? { current } : {}), ...(total ? { total } : {}) },
  };
}

interface PullLine {
  readonly error?: unknown;
  readonly status?: unknown;
  readonly id?: unknown;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

function pullError(error: SkillError, image: string, auth: RegistryCredentials | undefined): SkillError {
  const { cause, details, message } = error;
  const more = { cause, details: { ...details, image } };
  if (/unauthorized|authentication required|no basic auth|access.*denied|incorrect username/i.test(message)) {
    const remedy = auth
      ? "The registry rejected the credentials, or does not have the image. Check the option auth and the image's name."
      : "The registry requires credentials, or does not have the image. Give the option auth, or check the image's name.";
    return new SkillError("CONFIG_INVALID", `${message} ${remedy}`, more);
  }
  if (/not found|manifest unknown|does not exist|name unknown|invalid reference|no such image/i.test(message))
    return new SkillError(
      "CONFIG_INVALID",
      `${message} There is no such image. Check its name and tag.`,
      more,
    );
  return new SkillError(
    "BACKEND_FAILED",
    `${message} Check whether the engine can reach the registry.`,
    more,
  );
}

function halted(what: string, host: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `${what} failed: the engine at ${host} reported no progress for ${SILENCE_MS / 1000} s. Check whether it can reach the registry.`,
    { details: { host } },
  );
}
