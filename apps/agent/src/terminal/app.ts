import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { type Agent, createAgent } from "@skillwright/agent";
import type { ModelChoice, SkillPlace } from "@skillwright/config";
import {
  type ArtifactVersion,
  type ByteStream,
  type CallOptions,
  type CatalogSnapshot,
  type Diagnostic,
  type Isolation,
  readBytes,
  SKILL_LIMITS,
  type UploadedFile,
} from "@skillwright/core";
import { recordRegistry } from "@skillwright/records";
import { type AppEnvironment, openParts } from "./app-parts.js";
import type { DemoOptions } from "./command-line.js";
import type { NamedFile } from "./files-in-request.js";
import { handOver } from "./hand-over.js";
import type { Screen } from "./screen.js";
import { type ServedQuestions, servedQuestions } from "./served-questions.js";
import type { TerminalInput } from "./terminal-input.js";

/** The agent with everything that the demo and the chat show of it. */
export interface App {
  readonly agent: Agent;
  readonly model: ModelChoice;
  readonly isolation: Isolation;
  /** Problems of the runtime on this machine, and ignored parts of the configuration. */
  readonly diagnostics: readonly Diagnostic[];
  /** Highest precedence first, including missing ones. */
  readonly places: readonly SkillPlace[];
  readonly snapshot: CatalogSnapshot;
  /** Missing where no conversation of a server is kept. */
  readonly questions: ServedQuestions | undefined;
  /** Number of changes of skills that wait for a decision. */
  readonly waiting: number;
  /** Content of a skill's file as it is now. */
  skillFile(name: string, path: string, options?: CallOptions): Promise<Uint8Array>;
  /** Where files are searched, in order. */
  readonly fileRoots: readonly string[];
  upload(file: NamedFile, signal?: AbortSignal): Promise<UploadedFile>;
  /** Copies what a turn saved to `<artifacts>/<session>/`, by name. Returns the absolute paths. */
  handOver(artifacts: readonly ArtifactVersion[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** @throws SkillError `CONFIG_INVALID`, `ISOLATION_UNAVAILABLE`, each with the remedy. */
export async function openApp(
  options: DemoOptions,
  environment: AppEnvironment,
  screen: Screen,
  input: Pick<TerminalInput, "isTerminal" | "ask">,
): Promise<App> {
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.reverse().splice(0)) await close();
  };
  try {
    return await openedApp(options, environment, screen, input, { opened, closeAll });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function openedApp(
  options: DemoOptions,
  environment: AppEnvironment,
  screen: Screen,
  input: Pick<TerminalInput, "isTerminal" | "ask">,
  { opened, closeAll }: { readonly opened: (() => Promise<void>)[]; closeAll(): Promise<void> },
): Promise<App> {
  const parts = await openParts(options, environment, screen, input, opened);
  const { config, runtime, skills, stores, model, isolation, diagnostics, places } = parts;
  const agent = await createAgent(config, {
    ...parts.dependencies,
    records: stores.records,
    artifacts: stores.artifacts,
    runtime: () => runtime,
    registry: runtime.registry ?? recordRegistry(stores.served),
    skills,
  });
  opened.push(() => agent.close());
  return {
    ...{ agent, model, isolation, diagnostics, places },
    snapshot: await agent.skills(),
    questions: servedQuestions(stores.served),
    waiting: (await agent.proposals?.list())?.length ?? 0,
    skillFile: async (name, path, call) =>
      await readBytes(await parts.catalog.open(name, path, call), SKILL_LIMITS.bytes),
    fileRoots: [...new Set([environment.cwd, ...environment.fileRoots].map((path) => resolve(path)))],
    upload: (file, signal) => agent.upload(file.name, contentOf(file.path), { signal }),
    handOver: (saved) =>
      handOver(stores.artifacts, agent.session, saved, join(stores.outputs, agent.session.session)),
    close: closeAll,
  };
}

/** Opens the file when its first piece is read, so that an earlier refusal leaves nothing open. */
async function* contentOf(path: string): ByteStream {
  yield* createReadStream(path);
}
