import { join } from "node:path";
import {
  type AgentConfig,
  type AgentDependencies,
  configuredEnvironment,
  defaultRuntime,
  placeCatalog,
  type RememberedTrust,
  rememberedTrust,
} from "@skillwright/agent";
import {
  checkAgentConfig,
  configuredModel,
  loadConfiguration,
  type ModelChoice,
  modelChoice,
  type SkillPlace,
  standardPlaces,
} from "@skillwright/config";
import type { Diagnostic, Isolation, SkillCatalog, WorkspaceRuntime } from "@skillwright/core";
import { recordTrust } from "@skillwright/records";
import { fsContentStore, fsRecords } from "@skillwright/repository-fs";
import { DEFAULT_IMAGE } from "@skillwright/runtime-docker";
import { localHost, runtimeHost } from "@skillwright/skillbox";
import { agentConfig } from "./agent-config.js";
import { RESERVED_COMMANDS } from "./chat-commands.js";
import type { DemoOptions } from "./command-line.js";
import { lastingProposals, makeOwnFolder, withOwnScopes } from "./managed-skills.js";
import { openStores, type Stores } from "./open-stores.js";
import { pullView } from "./pull-view.js";
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

/** What an agent of the terminal or of the server is made of. */
export interface AppParts {
  readonly config: AgentConfig;
  readonly model: ModelChoice;
  /** Whoever creates the agents closes it. */
  readonly runtime: WorkspaceRuntime;
  readonly isolation: Isolation;
  /** Problems of the runtime on this machine, and ignored parts of the configuration. */
  readonly diagnostics: readonly Diagnostic[];
  /** Highest precedence first, including missing ones. */
  readonly places: readonly SkillPlace[];
  readonly stores: Stores;
  readonly catalog: SkillCatalog;
  /** The catalogue, if the configuration does not turn skills off. */
  readonly skills: SkillCatalog | undefined;
  readonly dependencies: Omit<AgentDependencies, "records" | "artifacts" | "runtime" | "skills">;
}

/**
 * Opens the parts as the command line and the configuration file say. `opened` receives what closes them, last first.
 * @throws SkillError `CONFIG_INVALID`, `ISOLATION_UNAVAILABLE`, each with the remedy.
 */
export async function openParts(
  options: DemoOptions,
  environment: AppEnvironment,
  screen: Screen,
  input: Pick<TerminalInput, "isTerminal" | "ask">,
  opened: (() => Promise<void>)[],
): Promise<AppParts> {
  const { env, cwd, home } = environment;
  const { configuration, trustsProject, diagnostics: remarks } = await loadConfiguration({ cwd, env, home });
  const model = modelChoice(options.model, env, configuredModel(configuration));
  const checked = checkAgentConfig(agentConfig(options, cwd, configuration, model));
  const { manage: wanted } = checked.skillTools;
  const stores = await openStores(options, environment, configuration.stores);
  opened.push(() => stores.close());
  const { namespace } = stores;
  const runtime = await defaultRuntime(checked.sandbox, { onPull: pullView(screen), namespace });
  const { isolation, diagnostics = [] } = await runtime.capabilities();
  const { enabled, settings, allow } = configuration.skills;
  await makeOwnFolder(enabled && wanted !== false, home);
  const places = await standardPlaces({
    project: cwd,
    home,
    given: options.skills,
    skillsRoot: env["SKILLS_ROOT"],
    repositories: configuration.skills.repositories,
    linkRoots: configuration.skills.linkRoots,
    bundled: environment.bundledSkills,
    kinds: configuration.skills.sources,
  });
  const manage = withOwnScopes(wanted, places);
  const config = { ...checked, skillTools: { ...checked.skillTools, manage } };
  const content = fsContentStore();
  opened.push(() => content.close());
  const host =
    config.sandbox.kind === "local"
      ? localHost({ env })
      : runtimeHost(runtime, {
          env,
          place: `the image ${config.sandbox.image ?? DEFAULT_IMAGE}`,
          remedy: "Give an image that has it with --image, such as one built from docker/skill-runner.",
        });
  const trust = home === undefined ? undefined : trustOf(home, isolation, screen);
  const skills = await placeCatalog(places, {
    ...{ host, settings, allow, cwd, content, trust: trust?.catalog },
    ...stores,
  });
  opened.push(() => skills.close());
  const bundled = new Set(places.filter(({ kind }) => kind === "bundled").map(({ source }) => source));
  return {
    ...{ config, model, runtime, isolation, places, stores },
    diagnostics: [...diagnostics, ...remarks],
    catalog: skills,
    skills: enabled ? skills : undefined,
    dependencies: {
      templates: { assistant: TERMINAL_TEMPLATE },
      environment: configuredEnvironment(settings, host),
      workspaces: config.workspaces?.environments === undefined ? { environments: "auto" } : {},
      content,
      profile:
        home === undefined
          ? undefined
          : terminalProfile(screen, input, {
              ...{ home, cwd, trustsProject, agent: options.agent, yes: options.yes, trust: trust?.catalog },
            }),
      proposals: enabled ? lastingProposals(manage, skills, { home, cwd }) : undefined,
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
  };
}

/** This person's approvals, for all of their agents. */
function trustOf(home: string, { level }: Isolation, screen: Screen): RememberedTrust {
  return rememberedTrust({
    store: recordTrust(fsRecords({ root: join(home, ".skillwright", "trust") })),
    isolated: level !== "none",
    tell: ({ message }) =>
      screen.prose(`  ${screen.colours.yellow("!")} Approvals are not stored: ${message}`, 4),
  });
}
