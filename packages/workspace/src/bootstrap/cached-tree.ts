import { createHash } from "node:crypto";
import { type ByteStream, type Diagnostic, type RunResult, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { BootstrapPlace } from "./bootstrap-place.js";
import type { PlannedStep } from "./plan-steps.js";
import { runBootstrapCommand } from "./run-bootstrap-command.js";

const TIMEOUT_MS = 300_000;

/** `failed` is reported, and may have left part of the result behind. */
export type Restored = "restored" | "missing" | "failed";

/**
 * Unpacks what the step produced in another workspace. Packing and unpacking are commands in the workspace: links,
 * names and permissions are preserved, and the host never follows a link.
 */
export async function restoreTree(planned: PlannedStep, place: BootstrapPlace): Promise<Restored> {
  const { cache, workspace, signal } = place;
  if (!cache || !isCached(planned)) return "missing";
  try {
    const stdin =
      (await cache.get(await cacheKey(planned, place, undefined), { signal })) ??
      (await cache.get(await cacheKey(planned, place, workspace.root), { signal }));
    if (!stdin) return "missing";
    // The unpacking user becomes the owner, as with files that a command creates.
    const command = "tar -xof -";
    const result = await runBootstrapCommand(
      { command, skill: planned.skill, timeoutMs: TIMEOUT_MS, stdin },
      place,
    );
    checkPacked(result, "Unpacking");
    return "restored";
  } catch (error) {
    if (signal?.aborted || SkillError.is(error, "WORKSPACE_NOT_FOUND")) throw error;
    place.tell(cacheFailed(planned, error, "so its commands are run"));
    return "failed";
  }
}

/** Stores the step's directories for other workspaces, if nothing but the step can have influenced them. */
export async function storeTree(
  planned: PlannedStep,
  place: BootstrapPlace & { readonly isUntouched: boolean; readonly isOver: boolean },
): Promise<void> {
  const { cache, isUntouched, isOver, signal, tell } = place;
  if (!cache || !isCached(planned)) return;
  if (!isUntouched) return tell(notCached(planned, "the workspace already contained files"));
  if (!isOver) return tell(notCached(planned, "processes of its commands may be left"));
  const directories = (planned.step.cache ?? []).map(quoted).join(" ");
  const command = `tar -cf "$RUN_DIR/tree.tar" -- ${directories}`;
  try {
    await runBootstrapCommand(
      { command, skill: planned.skill, timeoutMs: TIMEOUT_MS },
      place,
      async (result, directory) => {
        checkPacked(result, "Packing");
        await keep(planned, `${directory}/tree.tar`, place);
      },
    );
  } catch (error) {
    checkAborted(signal);
    if (SkillError.is(error, "WORKSPACE_NOT_FOUND")) throw error;
    tell(cacheFailed(planned, error, "so the next workspace runs its commands again"));
  }
}

/**
 * Content that names the workspace's own path works only where other workspaces have the same path, as in a sandbox.
 */
async function keep(planned: PlannedStep, path: string, place: BootstrapPlace): Promise<void> {
  const { cache, workspace, signal } = place;
  const isBound = await contains(await workspace.get(path, { signal }), workspace.root);
  const key = await cacheKey(planned, place, isBound ? workspace.root : undefined);
  await cache?.put(key, await workspace.get(path, { signal }), { signal });
}

function isCached({ step }: PlannedStep): boolean {
  return (step.cache?.length ?? 0) > 0;
}

async function cacheKey(
  { fingerprint }: PlannedStep,
  { surroundings }: BootstrapPlace,
  root: string | undefined,
): Promise<string> {
  const parts = ["skillwright-bootstrap-tree-1", fingerprint, await surroundings(), root ?? null];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function checkPacked({ exitCode, stderr, diagnostics }: RunResult, doing: string): void {
  // A truncated archive could pass for a complete one.
  const cut = diagnostics.find(({ code }) => code === "run.stdin-failed");
  if (cut) throw new SkillError("BACKEND_FAILED", cut.message);
  if (exitCode === 0) return;
  const said = stderr.text.trim().slice(-300);
  throw new SkillError("BACKEND_FAILED", `${doing} ended with exit code ${exitCode}. ${said}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function notCached({ step }: PlannedStep, why: string): Diagnostic {
  return {
    code: "bootstrap.not-cached",
    severity: "info",
    message: `The result of the bootstrap step "${step.name}" was not cached for other workspaces, because ${why}.`,
    hint: "It is cached when the step runs in a new workspace before anything else.",
  };
}

function cacheFailed({ step }: PlannedStep, error: unknown, so: string): Diagnostic {
  const why = SkillError.from(error, "Using the cache").message;
  return {
    code: "bootstrap.cache-failed",
    severity: "warning",
    message: `The result of the bootstrap step "${step.name}" could not be read from or written to the cache, ${so}. ${why}`,
    hint: "Check the bootstrap cache, that `tar` exists in the workspace, and that the step creates all directories of `cache`.",
  };
}

/** True where the text's bytes occur in the stream. Reading stops there. */
async function contains(stream: ByteStream, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  let end: Uint8Array = new Uint8Array();
  for await (const piece of stream) {
    const seen = Buffer.concat([end, piece]);
    if (seen.includes(wanted)) return true;
    // The text may span two pieces.
    end = seen.subarray(Math.max(0, seen.length - wanted.length + 1));
  }
  return false;
}
