import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Agent,
  type AgentConfig,
  configuredEnvironment,
  createAgent,
  placeCatalog,
  type RememberedTrust,
  rememberedTrust,
  type SandboxConfig,
} from "@skillwright/agent";
import { loadConfiguration, type SkillPlace, standardPlaces } from "@skillwright/config";
import {
  type ArtifactVersion,
  type ByteStream,
  type CatalogSnapshot,
  type Diagnostic,
  type Isolation,
  type JsonObject,
  type JsonValue,
  SkillError,
  type UploadedFile,
} from "@skillwright/core";
import { fsContentStore, fsTrust } from "@skillwright/repository-fs";
import { DEFAULT_IMAGE } from "@skillwright/runtime-docker";
import { localHost, runtimeHost } from "@skillwright/skillbox";
import { type ModelChoice, modelChoice } from "../models/model-choice.js";
import { RESERVED_COMMANDS } from "./chat-commands.js";
import type { DemoOptions } from "./command-line.js";
import type { NamedFile } from "./files-in-request.js";
import { handOver } from "./hand-over.js";
import { openRuntime } from "./open-runtime.js";
import { openStores } from "./open-stores.js";
import type { Screen } from "./screen.js";
import { terminalApproval } from "./terminal-approval.js";
import type { TerminalInput } from "./terminal-input.js";
import { terminalProfile } from "./terminal-profile.js";
import { TERMINAL_TEMPLATE } from "./terminal-template.js";

/** The app's environment. */
export interface AppEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's working directory: base of file names, `--skills` and `--artifacts`. */
  readonly cwd: string;
  readonly home: string | undefined;
  /** The folder of the agent's bundled skills. */
  readonly bundledSkills: string;
  /** Further folders in which files named in a request are searched. */
  readonly fileRoots: readonly string[];
}

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

/** What must be closed again, last first. */
interface Opened {
  readonly opened: (() => Promise<void>)[];
  closeAll(): Promise<void>;
}

async function openedApp(
  options: DemoOptions,
  environment: AppEnvironment,
  screen: Screen,
  input: Pick<TerminalInput, "isTerminal" | "ask">,
  { opened, closeAll }: Opened,
): Promise<App> {
  const { env, cwd, home } = environment;
  const model = modelChoice(options.model, env);
  const { configuration, trustsProject, diagnostics: remarks } = await loadConfiguration({ cwd, env, home });
  const sandbox = sandboxOf(options, cwd, configuration.agent["sandbox"]);
  const runtime = openRuntime(sandbox, screen);
  const { isolation, diagnostics = [] } = await runtime.capabilities();
  const { enabled, settings, allow } = configuration.skills;
  const places = await standardPlaces({
    project: cwd,
    home,
    given: options.skills,
    skillsRoot: env["SKILLS_ROOT"],
    repositories: configuration.skills.repositories,
    bundled: environment.bundledSkills,
    kinds: configuration.skills.sources,
  });
  const stores = await openStores(options, environment);
  opened.push(() => stores.close());
  const { sessions, artifacts, outputs } = stores;
  const content = fsContentStore();
  opened.push(() => content.close());
  const host =
    options.runtime === "local"
      ? localHost({ env })
      : runtimeHost(runtime, {
          env,
          place: `the image ${options.image ?? DEFAULT_IMAGE}`,
          remedy: "Give an image that has it with --image, such as one built from docker/skill-runner.",
        });
  const trust = home === undefined ? undefined : trustOf(home, isolation, screen);
  const skills = await placeCatalog(places, {
    ...{ host, settings, allow, cwd, content, trust: trust?.catalog },
    ...stores,
  });
  opened.push(() => skills.close());
  const bundled = new Set(places.filter(({ kind }) => kind === "bundled").map(({ source }) => source));
  const { because: _because, ...modelConfig } = model;
  const agent = await createAgent(
    withConfigured(configuration.agent, {
      templateId: "assistant",
      modelConfig: { ...modelConfig, stream: options.stream },
      ...(options.session !== undefined && {
        session: { app: "agent", user: "local", session: options.session },
      }),
      ...(options.agent !== undefined && { agent: options.agent }),
      sandbox,
      overview: {
        maxCharacters: configuration.skills.maxIndexChars,
        maxSkills: configuration.skills.maxListedSkills,
      },
      agentPromptReinjectEvery: configuration.agentPromptReinjectEvery,
    }),
    {
      sessions,
      templates: { assistant: TERMINAL_TEMPLATE },
      runtime: () => runtime,
      skills: enabled ? skills : undefined,
      environment: configuredEnvironment(settings, host),
      workspaces: { environments: "auto" },
      artifacts,
      content,
      profile:
        home === undefined
          ? undefined
          : terminalProfile(screen, input, {
              ...{ home, cwd, trustsProject, agent: options.agent, yes: options.yes, trust: trust?.catalog },
            }),
      reservedCommands: RESERVED_COMMANDS,
      approval: terminalApproval(screen, input, { yes: options.yes, remembers: trust !== undefined }),
      // Nobody has reviewed what --yes allows, so it is not stored.
      trust: options.yes ? undefined : trust?.tools,
      // The store is in this person's home.
      sharedTrust: true,
      // In addition to skills that came with a project, which always ask.
      mustAsk: ({ skill, isolation: inForce }) =>
        inForce.level === "none" && !(skill && bundled.has(skill.source)),
    },
  );
  opened.push(() => agent.close());
  return {
    agent,
    model,
    isolation,
    diagnostics: [...diagnostics, ...remarks],
    places,
    snapshot: await agent.skills(),
    fileRoots: [...new Set([cwd, ...environment.fileRoots].map((path) => resolve(path)))],
    upload: (file, signal) => agent.upload(file.name, contentOf(file.path), { signal }),
    handOver: (saved) => handOver(artifacts, agent.session, saved, join(outputs, agent.session.session)),
    close: closeAll,
  };
}

/**
 * The terminal's own settings over those of the configuration file; the agent checks the result.
 * @throws SkillError `CONFIG_INVALID` for a field of the file that the command line decides.
 */
function withConfigured(configured: JsonObject, own: AgentConfig): AgentConfig {
  for (const field of ["templateId", "modelConfig", "skillsPackage", "session", "agent"])
    if (Object.hasOwn(configured, field))
      throw new SkillError(
        "CONFIG_INVALID",
        `agent.${field} of the configuration is decided by the command line. Remove it; --help lists the options.`,
        { details: { fields: [{ path: `agent.${field}` }] } },
      );
  const { overview, ...rest } = configured;
  return {
    ...own,
    ...rest,
    overview: { ...own.overview, ...Object(overview) },
    sandbox: own.sandbox,
  };
}

/** Where commands run: what the command line decides over what the configuration file has. */
function sandboxOf(
  { runtime: kind, isolation, image, workspace }: DemoOptions,
  cwd: string,
  configured: JsonValue | undefined,
): SandboxConfig {
  const given = Object(configured) as SandboxConfig;
  const hostFolder =
    workspace === undefined ? given.hostFolder : { ...given.hostFolder, path: resolve(cwd, workspace) };
  return {
    ...given,
    ...{ kind, isolation },
    ...(image !== undefined && { image }),
    ...(hostFolder !== undefined && { hostFolder }),
  };
}

/** Opens the file when its first piece is read, so that an earlier refusal leaves nothing open. */
async function* contentOf(path: string): ByteStream {
  yield* createReadStream(path);
}

/** This person's approvals, for all of their agents. */
function trustOf(home: string, { level }: Isolation, screen: Screen): RememberedTrust {
  return rememberedTrust({
    store: fsTrust({ root: join(home, ".skillwright", "trust") }),
    isolated: level !== "none",
    tell: ({ message }) =>
      screen.prose(`  ${screen.colours.yellow("!")} Approvals are not stored: ${message}`, 4),
  });
}
