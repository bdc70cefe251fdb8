import type { LanguageModelV4 } from "@ai-sdk/provider";
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
  HostFolder,
  RecordStore,
  SessionScope,
  SkillCatalog,
  SkillTool,
  TrustStore,
  UploadedFile,
  WorkspaceFile,
  WorkspaceRegistry,
  WorkspaceRuntime,
} from "@skillwright/core";
import type { SkillContext, SlashCommand } from "@skillwright/injector";
import type {
  ApprovalQuestion,
  CommandPolicy,
  MustAsk,
  MustAskToWrite,
  SkillProposals,
  StoredApprovals,
} from "@skillwright/tools";
import type { SkillEnvironment, WorkspaceManagerOptions } from "@skillwright/workspace";
import type { ModelConfig, SandboxConfig } from "./agent-config.js";
import type { AgentEvent, AgentEventListener } from "./agent-event.js";
import type { AgentProfile } from "./agent-profile.js";
import type { AgentTemplate } from "./agent-template.js";

/**
 * The parts of an agent, each with a default. Results of the two factories (`runtime`, `models`) belong to the agent and
 * are closed with it; other parts belong to the caller.
 */
export interface AgentDependencies {
  /**
   * The store of histories, uploads, proposals and, if the runtime has no registry, workspaces, such as `fsRecords`. Defaults to
   * memory. It stays open when the agent is closed.
   */
  readonly records?: RecordStore | undefined;
  /** Templates by id; `config.templateId` selects one. Defaults to `assistant`, a general one with all file tools. */
  readonly templates?: Readonly<Record<string, AgentTemplate>> | undefined;
  /**
   * Creates the model from the checked configuration. Defaults to the providers `openai`, `anthropic` and `offline`; the
   * first two need `@ai-sdk/openai-compatible` and `@ai-sdk/anthropic`.
   */
  readonly models?: ((config: ModelConfig) => LanguageModelV4 | Promise<LanguageModelV4>) | undefined;
  /**
   * Creates the runtime from the checked configuration. Defaults to `localRuntime`, and for `docker` to `dockerRuntime`,
   * which needs `@skillwright/runtime-docker`. These belong to the working directory, as `applicationNamespace` says, where
   * `sandbox.root` is not given: agents of applications in other directories neither see nor destroy their workspaces.
   */
  readonly runtime?: ((config: SandboxConfig) => WorkspaceRuntime | Promise<WorkspaceRuntime>) | undefined;
  /** Additional tools, by the name that templates use. */
  readonly tools?: Readonly<Record<string, SkillTool>> | undefined;
  /**
   * Further tools that a skill unlocks, by the skill's name: the model gets them while the skill is loaded. A skill of
   * an untrusted source unlocks none. Defaults to none.
   */
  readonly boundTools?: Readonly<Record<string, readonly SkillTool[]>> | undefined;
  /** The skills, where they do not come from `config.skillsPackage`. */
  readonly skills?: SkillCatalog | undefined;
  /**
   * Injected at the start of each conversation, and again every `config.agentPromptReinjectEvery` turns. Defaults to
   * none.
   */
  readonly profile?: AgentProfile | undefined;
  /** Names of commands that the application reserves. */
  readonly reservedCommands?: readonly string[] | undefined;
  /** Defaults to memory. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Stores files of skills by digest. Defaults to the workspace manager's own. */
  readonly content?: ContentStore | undefined;
  /**
   * State of workspaces shared between processes. Defaults to the runtime's own registry, then to `records` where they are given,
   * otherwise to files in the temporary directory, so that a later agent cleans up after a killed one.
   */
  readonly registry?: WorkspaceRegistry | undefined;
  /** Variables for the runs of each skill. Defaults to none. */
  readonly environment?: SkillEnvironment | undefined;
  /**
   * What the configuration cannot express: policies with functions, steps that depend on the skill, a cache of their
   * results, where packages of skills are prepared, and a listener for problems that no turn waits for, such as those of the sweep at the start. Steps replace
   * those of the configuration. Defaults to none.
   */
  readonly workspaces?:
    | Pick<
        WorkspaceManagerOptions,
        "policies" | "bootstrap" | "bootstrapCache" | "environments" | "onDiagnostic"
      >
    | undefined;
  /** Counts the tokens of a text for `config.overview.maxTokens`; must be pure. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Decides on each command; replaces `config.skillTools.commands`. Defaults to none. */
  readonly commandPolicy?: CommandPolicy | undefined;
  /** Files of the workspace that need approval before they are written. Defaults to none. */
  readonly mustAskToWrite?: MustAskToWrite | undefined;
  /**
   * Where changes by `skill_manage` wait for review; `skillProposals(skills)`. Defaults to `records`, for the review
   * `later`: then they outlive the process where the records do.
   */
  readonly proposals?: SkillProposals | undefined;
  /** Asked before anything untrusted runs; without it and without `approvals`, that is refused. */
  readonly approval?: Approval | undefined;
  /**
   * Stores what `skill_*` tools must ask instead of asking `approval`: the turn parks (`waiting`) and costs nothing until
   * a person has answered, in whatever process; then `Agent.resume` goes on. Defaults to none.
   */
  readonly approvals?: StoredApprovals | undefined;
  /**
   * Where approvals are stored by digest beyond the agent's lifetime, per user; checked before a person is asked. Pass
   * the same to the catalogue: `userTrust(trust, session)`, or the store itself with `sharedTrust`. Without it, an
   * approval lasts for the agent's lifetime.
   */
  readonly trust?: TrustStore | undefined;
  /** Approvals in `trust` apply to every user. Defaults to false. */
  readonly sharedTrust?: boolean | undefined;
  /** Runs that need approval in addition to those of untrusted skills. */
  readonly mustAsk?: MustAsk | undefined;
}

/** Makes a turn one that another process can resume. */
export interface ResumableTurn {
  /** Unique in the conversation. */
  readonly id: string;
  /** True if another process may have begun the turn. `chat` then reports that this one goes on, as `resume` does. */
  readonly isRetry?: boolean | undefined;
  /**
   * What the caller of `chat` knows of the session, so that it need not be read. `new`: there is none, and no upload. `unchanged`: nobody
   * has changed it or uploaded a file since this process ran the last turn. `read`: nobody has changed it since this process read it,
   * but there may be uploads. If the session was changed, the turn begins again with what is stored. Defaults to nothing.
   */
  readonly session?: "new" | "unchanged" | "read" | undefined;
  /** Awaited before anything of the turn is stored, so that the events until then can be stored first. */
  readonly beforeStored?: (() => Promise<void>) | undefined;
}

/** Options of one turn. */
export interface ChatOptions extends CallOptions {
  /**
   * Stores each step before its tools run, so that `resume` with the same id goes on where the turn's process ended.
   * Without it, such a turn ends with its process.
   */
  readonly turn?: ResumableTurn | undefined;
  /** Receives each event as it happens. */
  readonly onEvent?: AgentEventListener | undefined;
  /** Data for triggers of skills, besides the message and its command; uploads are added to the files. */
  readonly context?: Pick<SkillContext, "files" | "metadata"> | undefined;
}

/** How a turn ended: with an answer, or for a reason to stop without one. A turn that is `waiting` has not ended. */
export type ChatFinish = "answered" | "step-limit" | "repeated-failure" | "aborted" | "waiting";

/** The result of one turn. */
export interface ChatResult {
  /** The answer, or a description of why there is none. */
  readonly text: string;
  readonly finish: ChatFinish;
  /** Number of model calls in this turn. */
  readonly steps: number;
  /** All events except text pieces, run output and the end, in order. */
  readonly events: readonly AgentEvent[];
  /** Open questions of a turn that is `waiting`; `Agent.resume` goes on once they are answered. */
  readonly approvals?: readonly ApprovalQuestion[];
  /** Files that the turn's runs saved as artifacts. */
  readonly artifacts: readonly ArtifactVersion[];
  /** Reports everything that was cut, skipped or left out in this turn. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * One conversation with a model that has skills. Turns are serial: a chat called during another one waits for it.
 * Closing ends the current turn like an abort.
 */
export interface Agent extends Closable {
  /** The conversation, as configured or new. */
  readonly session: SessionScope;
  /** Problems found while the agent was created: unknown skills, fields without effect. */
  readonly diagnostics: readonly Diagnostic[];

  /**
   * The user's folder at `work/project`, with what a person may do between turns. Missing where there is none.
   */
  readonly hostFolder?: Pick<HostFolder, "path" | "diff" | "undo">;

  /**
   * Changes to skills that wait for a decision, including those of earlier agents. Missing where no change waits: see
   * `review` of `config.skillTools.manage`.
   */
  readonly proposals?: SkillProposals;

  /**
   * Runs one user turn. Failures of tools are part of the answer; an abort ends the turn early with the results so far.
   * A turn that waits for approvals ends first: its questions are withdrawn (`approval.withdrawn`).
   * @throws SkillError `BACKEND_FAILED` when the model cannot be reached or refuses, with the remedy; `CONFLICT` when
   * another process took a turn in the same conversation meanwhile. The history keeps the message, also of a turn that was
   * stopped or failed, with the text so far and a note that the answer ended there.
   */
  chat(message: string, options?: ChatOptions): Promise<ChatResult>;

  /**
   * Goes on with the turn that waits for approvals, in whatever process, once all its questions are answered; until then
   * it changes nothing and returns the open ones. Calls that have a result are not repeated. `undefined` where no turn
   * waits. One process at a time may resume a turn: where an earlier one ended while approved calls ran, their
   * outcome is unknown (`approval.outcome-unknown`), and they are not run again.
   *
   * With `turn`, it also resumes the turn of that id whose process has ended, at the step where it was: commands that
   * were started are attached to or their results taken, calls of tools that are neither `parallel` nor `repeatable` get an
   * unknown outcome, and a model call that was not stored is made again. For a turn that had ended it returns how.
   * @throws SkillError as `chat`.
   */
  resume(options?: Omit<ChatOptions, "context">): Promise<ChatResult | undefined>;

  /** Stores a file in the conversation's workspace; the next turn's message tells the model about it. */
  upload(name: string, content: ByteSource, options?: CallOptions): Promise<UploadedFile>;
  /** The current skills. */
  skills(options?: CallOptions): Promise<CatalogSnapshot>;
  /** Uploads and outputs in the conversation's workspace. */
  files(options?: CallOptions): Promise<readonly WorkspaceFile[]>;
  /**
   * Commands with which a message may begin: `commands/*.md` of the skills package, and skills that people may start.
   */
  commands(options?: CallOptions): Promise<readonly SlashCommand[]>;
  /** Unloads these skills in the conversation; they must be loaded again before their next run. */
  unload(names: readonly string[], options?: CallOptions): Promise<void>;
  /**
   * Replaces all but the newest `config.compaction.keepTurns` turns with a summary by the model; returns `false` where
   * there is nothing to shorten. The next turn generates the overview again, starts with the profile, and restores
   * bodies of loaded skills that were removed.
   * @throws SkillError `BACKEND_FAILED` where the model returns no summary; nothing is changed then.
   */
  compact(options?: CallOptions): Promise<boolean>;
  /** Deletes the conversation: history, state, snapshot. Files and artifacts stay. */
  reset(options?: CallOptions): Promise<void>;
}
