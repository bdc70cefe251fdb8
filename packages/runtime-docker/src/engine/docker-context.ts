import { createHash } from "node:crypto";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import type { EngineAddress, TlsFiles } from "./engine-address.js";

/** The environment of the search; replaceable in tests. */
export interface EngineSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/**
 * The address in the Docker CLI's current context, from `DOCKER_CONTEXT` or its configuration; `undefined` where that
 * is the default one. Contexts are stored in directories named after the hash of their names.
 * @throws SkillError `CONFIG_INVALID` for a missing context.
 */
export async function contextAddress({ env, home }: EngineSurroundings): Promise<EngineAddress | undefined> {
  const directory = env["DOCKER_CONFIG"] || join(home, ".docker");
  const name = env["DOCKER_CONTEXT"] || (await currentContext(join(directory, "config.json")));
  if (!name || name === "default") return undefined;
  const hash = createHash("sha256").update(name).digest("hex");
  const meta = (await json(join(directory, "contexts/meta", hash, "meta.json"))) as ContextFile | undefined;
  const host = meta?.Endpoints?.docker?.Host;
  if (typeof host !== "string" || host === "") throw noContext(name);
  const tls = await tlsFiles(join(directory, "contexts/tls", hash, "docker"));
  return { host, ...(tls ? { tls } : {}) };
}

interface ContextFile {
  readonly Endpoints?: { readonly docker?: { readonly Host?: unknown } };
}

async function currentContext(path: string): Promise<string | undefined> {
  const name = ((await json(path)) as { currentContext?: unknown } | undefined)?.currentContext;
  return typeof name === "string" ? name : undefined;
}

async function json(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

async function tlsFiles(directory: string): Promise<TlsFiles | undefined> {
  const found: Partial<Record<keyof TlsFiles, string>> = {};
  for (const name of ["ca", "cert", "key"] as const) {
    const path = join(directory, `${name}.pem`);
    await access(path).then(
      () => {
        found[name] = path;
      },
      () => undefined,
    );
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

function noContext(name: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The Docker context ${JSON.stringify(name)} is selected but has no address. Select another (docker context use), or set DOCKER_HOST.`,
    { details: { context: name } },
  );
}
