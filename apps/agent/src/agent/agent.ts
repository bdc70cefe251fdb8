import type { LanguageModelV3 } from "@ai-sdk/provider";
import type {
  Approval,
  ArtifactStore,
  ArtifactVersion,
  ByteSource,
  CallOptions,
  CatalogSnapshot,
  Closable,
  ContentStore,
  Diagnostic,
  SessionScope,
  SessionStore,
  SkillCatalog,
  SkillTool,
  TrustStore,
  UploadedFile,
  WorkspaceFile,
  WorkspaceRegistry,
  WorkspaceRuntime,
} from "@skillwright/core";
import type { SkillContext, SlashCommand } from "@skillwright/injector";
import type { MustAsk } from "@skillwright/tools";
import type { SkillEnvironment } from "@skillwright/workspace";
import type { ModelConfig, SandboxConfig } from "./agent-config.js";
import type { AgentEvent, AgentEventListener } from "./agent-event.js";
import type { AgentProfile } from "./agent-profile.js";
import type { AgentTemplate } from "./agent-template.js";

/**
 * What an agent is put together from. What the two factories (`runtime`, `models`) make is the agent's own and closed
 * with it; what is handed in ready is not.
 */
export interface AgentDependencies {
  /** History, state and snapshot of conversations. */
  readonly sessions: SessionStore;
  /** By id; `config.templateId` chooses. */
  readonly templates: Readonly<Record<string, AgentTemplate>>;
  readonly models: (config: ModelConfig) => LanguageModelV3 | Promise<LanguageModelV3>;
  readonly runtime: (config: SandboxConfig) => WorkspaceRuntime;
  /** More tools, by the name under which templates ask for them. */
  readonly tools?: Readonly<Record<string, SkillTool>> | undefined;
  /** The skills, where they do not come from `config.skillsPackage`. */
  readonly skills?: SkillCatalog | undefined;
  /** Opens each conversation, and comes again every `config.agentPromptReinjectEvery` turns. None by default. */
  readonly profile?: AgentProfile | undefined;
  /** Names of commands that the application keeps for itself. */
  readonly reservedCommands?: readonly string[] | undefined;
  /** In memory by default. */
  readonly artifacts?: ArtifactStore | undefined;
  readonly content?: ContentStore | undefined;
  /**
   * What processes know of their workspaces together. By default the runtime's own, else files in the temporary directory,
   * so that a later agent ends what a killed one left.
   */
  readonly registry?: WorkspaceRegistry | undefined;
  /** Variables for the runs of each skill. None by default. */
  readonly environment?: SkillEnvironment | undefined;
  /** Asked before anything untrusted runs; without it that is refused. */
  readonly approval?: Approval | undefined;
  /**
   * Where approvals are remembered by digest beyond the agent's life, for each user, asked before anybody is. Give the catalogue
   * the same: `userTrust(trust, session)`, or the store itself with `sharedTrust`. Without it a yes holds as long as the agent
   * lives.
   */
  readonly trust?: TrustStore | undefined;
  /** What `trust` holds counts for every user. False by default. */
  readonly sharedTrust?: boolean | undefined;
  /** Runs that ask beside those of untrusted skills. */
  readonly mustAsk?: MustAsk | undefined;
}

export interface ChatOptions extends CallOptions {
  readonly onEvent?: AgentEventListener | undefined;
  /** What triggers of skills may go by, beside the message and its command; uploads are added to the files. */
  readonly context?: Pick<SkillContext, "files" | "metadata"> | undefined;
}

/** How a turn ended: by an answer, or by one of the ways to stop without one. */
export type ChatFinish = "answered" | "step-limit" | "repeated-failure" | "aborted";

export interface ChatResult {
  /** The answer, or in plain words why there is none. */
  readonly text: string;
  readonly finish: ChatFinish;
  /** Model calls that this turn took. */
  readonly steps: number;
  /** Everything that happened but text pieces, run output and the end, in its order. */
  readonly events: readonly AgentEvent[];
  readonly artifacts: readonly ArtifactVersion[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * One conversation with a model that has skills. Turns are serial: a chat called during another waits for it. Closing
 * ends the turn that is under way as an abort does.
 */
export interface Agent extends Closable {
  readonly session: SessionScope;
  /** What was noticed while the agent was made: unknown skills, fields without effect. */
  readonly diagnostics: readonly Diagnostic[];

  /**
   * One user turn. What a tool could not do is part of the answer; an abort ends it early with what there is.
   * @throws SkillError `BACKEND_FAILED` when the model cannot be reached or refuses, with the remedy; `CONFLICT` when
   *   somebody else took a turn in the same conversation meanwhile. The history keeps whole steps only.
   */
  chat(message: string, options?: ChatOptions): Promise<ChatResult>;

  /** Puts a file into the conversation's workspace; the next turn's message tells the model. */
  upload(name: string, content: ByteSource, options?: CallOptions): Promise<UploadedFile>;
  /** The skills as they are now. */
  skills(options?: CallOptions): Promise<CatalogSnapshot>;
  /** Uploads and outputs in the conversation's workspace. */
  files(options?: CallOptions): Promise<readonly WorkspaceFile[]>;
  /** What a message may begin with: `commands/*.md` of the skills package, and skills that people may start. */
  commands(options?: CallOptions): Promise<readonly SlashCommand[]>;
  /** Ends the loads of these skills in the conversation; they must be loaded again before their next run. */
  unload(names: readonly string[], options?: CallOptions): Promise<void>;
  /**
   * Puts a summary by the model in place of all but the newest `config.compaction.keepTurns` turns; `false` where there
   * is nothing to shorten. The next turn writes the overview anew, begins with the profile, and puts back the bodies of
   * loaded skills that went.
   * @throws SkillError `BACKEND_FAILED` where the model gives no summary; nothing is changed then.
   */
  compact(options?: CallOptions): Promise<boolean>;
  /** Forgets the conversation: history, state, snapshot. Files and artifacts stay. */
  reset(options?: CallOptions): Promise<void>;
}
