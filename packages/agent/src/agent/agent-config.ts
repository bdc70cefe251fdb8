import type { SkillsPackageConfig } from "@skillwright/config";
import type { Secret, SessionScope } from "@skillwright/core";
import type { DeclaredLoad } from "@skillwright/injector";
import type { WorkspacesConfig } from "./workspaces-config.js";

/** The settings of an agent: plain data, as a JSON file can contain it. A field that does not exist is an error. */
export interface AgentConfig {
  /** Selects one of the templates. Defaults to `assistant`, the id of the built-in one. */
  readonly templateId?: string | undefined;
  readonly modelConfig: ModelConfig;
  /** Where commands run. Defaults to a sandbox on this machine. */
  readonly sandbox?: SandboxConfig | undefined;
  /** A folder or bucket with skills and commands. Cannot be combined with `dependencies.skills`. */
  readonly skillsPackage?: SkillsPackageConfig | undefined;
  /**
   * The conversation. Name one to continue it. Defaults to a new one, whose workspace is destroyed when the agent is
   * closed.
   */
  readonly session?: SessionScope | undefined;
  /** Separates the loaded skills of several agents that share a session. Defaults to none. */
  readonly agent?: string | undefined;
  /** The list of skills in the system prompt. */
  readonly overview?:
    | {
        /** Defaults to `xml`. */
        readonly format?: "xml" | "markdown" | "names" | undefined;
        /** Defaults to 4,000. */
        readonly maxCharacters?: number | undefined;
        /** Defaults to 32. */
        readonly maxSkills?: number | undefined;
        /** Counted by `dependencies.countTokens`, which it requires. Defaults to unlimited. */
        readonly maxTokens?: number | undefined;
        /** Keys of the skills' `metadata` that the format `xml` shows. Defaults to none. */
        readonly metadata?: readonly string[] | undefined;
        /** Replaces texts around the list; an empty one is removed. Defaults to the injector's own. */
        readonly texts?:
          | {
              readonly heading?: string | undefined;
              readonly guidance?: string | undefined;
              readonly triggered?: string | undefined;
              readonly putBack?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  /** How skills are loaded and unloaded. */
  readonly loads?:
    | {
        /**
         * Where bodies of loaded skills are placed. Defaults to `tool-results`; with `system`, each load changes the
         * system prompt.
         */
        readonly bodies?: "tool-results" | "system" | undefined;
        /** How long a skill stays loaded: for one request, one turn or the session. Defaults to `turn`. */
        readonly life?: "once" | "turn" | "session" | undefined;
        /** Maximum number of loaded skills; the one loaded longest ago is unloaded first. Defaults to 8. */
        readonly maxLoaded?: number | undefined;
        /**
         * Skills loaded in every turn, whatever the model does: their names, or `{ skill, documents }` with the paths
         * of documents (`"*"` for all). An unknown skill or document is `CONFIG_INVALID`. Defaults to none.
         */
        readonly declared?: readonly DeclaredLoad[] | undefined;
      }
    | undefined;
  /** The skill tools of the model. They and their descriptions stay the same for the agent's lifetime. */
  readonly skillTools?:
    | {
        /** Which tools show skills, as in `skillTools` of `@skillwright/tools`. Defaults to `load`. */
        readonly preset?: "load" | "activate" | "read" | "files" | undefined;
        /** Adds `skill_search`. Defaults to true if the overview cannot hold all skills when the agent is created. */
        readonly search?: boolean | undefined;
        /**
         * How skills that declare parameters are called: `true` adds `skill_call`; `"tools"` adds `run_<name>` for each
         * one that is loaded, which changes the model's tools with each load. Defaults to false.
         */
        readonly calls?: boolean | "tools" | undefined;
        /** A skill must be loaded in the conversation before it runs. Defaults to false. */
        readonly requireLoad?: boolean | undefined;
        /** Maximum characters of one tool result. Defaults to 65,536; at least 4,096. */
        readonly maxResultCharacters?: number | undefined;
        /**
         * Adds `skill_manage`, with which the model changes skills of a writable catalogue: `scopes` are names and their
         * sources, `review` is `ask` (default, or `later` with `dependencies.proposals`), `later` or `none`. Changes
         * for `later` wait in `Agent.proposals`. Defaults to false.
         */
        readonly manage?:
          | boolean
          | {
              readonly scopes?: Readonly<Record<string, string>> | undefined;
              readonly review?: "ask" | "later" | "none" | undefined;
            }
          | undefined;
        /** Adds the tools for interactive runs; with limits, or `true` for 8 runs and 30 minutes. Defaults to false. */
        readonly interactive?:
          | boolean
          | { readonly maxRuns?: number | undefined; readonly idleMs?: number | undefined }
          | undefined;
        /** Commands that `allowed-tools` of a trusted skill names skip `dependencies.mustAsk`. Defaults to false. */
        readonly preApproved?: boolean | undefined;
        /** Saves outputs as artifacts without a request. Defaults to false. */
        readonly saveOutputs?: boolean | undefined;
        /** The programs that may run, as in `commandPolicy` of `@skillwright/tools`. Defaults to all. */
        readonly commands?:
          | {
              readonly allowed?: readonly string[] | undefined;
              readonly denied?: readonly string[] | undefined;
            }
          | undefined;
      }
    | undefined;
  /** How workspaces are kept, and what runs in them may use. */
  readonly workspaces?: WorkspacesConfig | undefined;
  /**
   * How much of a run's output listeners of a turn receive; the rest is reported as `run.output-dropped`. The model's
   * result does not depend on it.
   */
  readonly eventLimits?:
    | {
        /** Total bytes of one run. Defaults to 4 MiB. */
        readonly bytes?: number | undefined;
        /** Sustained rate; this many bytes may also arrive at once. Defaults to 1 MiB. */
        readonly bytesPerSecond?: number | undefined;
      }
    | undefined;
  /** How a long history is shortened. */
  readonly compaction?:
    | {
        /** A turn starts with a compaction if the history has more characters; at least 1,000. Defaults to never. */
        readonly atCharacters?: number | undefined;
        /** Number of user turns that are kept unchanged. Defaults to 1. */
        readonly keepTurns?: number | undefined;
      }
    | undefined;
  /** Number of user turns after which the profile is injected again; 0 for never. Defaults to 100. */
  readonly agentPromptReinjectEvery?: number | undefined;
  /** Maximum number of model calls in one user turn. Defaults to 16, at most 200. */
  readonly maxSteps?: number | undefined;
}

/** The model of an agent. */
export interface ModelConfig {
  /** `openai` (any server with that protocol), `anthropic` or `offline`, unless `dependencies.models` knows others. */
  readonly provider: string;
  readonly model: string;
  /**
   * Defaults to the variable `ANTHROPIC_API_KEY` for `anthropic`, to none for others. Printable ASCII on one line; blanks
   * and line ends around it are no part of it. Masked in every error.
   */
  readonly apiKey?: string | Secret | undefined;
  /** Address of the server. Defaults to the provider's own. */
  readonly baseURL?: string | undefined;
  /** False for servers without streaming. Defaults to true. */
  readonly stream?: boolean | undefined;
  /** False for models without a system prompt: its text then precedes the first user message. Defaults to true. */
  readonly systemPrompt?: boolean | undefined;
}

/** As Kubernetes writes quantities, such as `500m` and `1Gi`. */
interface PodResources {
  readonly cpu?: string | undefined;
  readonly memory?: string | undefined;
}

/** Where commands run. */
export interface SandboxConfig {
  /** Processes on this machine, containers, or pods of a cluster. Defaults to `local`. */
  readonly kind?: "local" | "docker" | "kubernetes" | undefined;
  /** Isolation of `local`, as in `localRuntime`. Defaults to `sandbox`, which refuses to run without one. */
  readonly isolation?: "sandbox" | "auto" | "none" | undefined;
  /** Image of `docker`, by default the runtime's own small one; `kubernetes` needs one without `warmPool`. */
  readonly image?: string | undefined;
  /** Where the pods of `kubernetes` are, as in `kubernetesRuntime`. */
  readonly cluster?:
    | {
        readonly supervisorImage?: string | undefined;
        readonly warmPool?: string | undefined;
        readonly keepMs?: number | undefined;
        readonly measureNetwork?: boolean | undefined;
        readonly kubeconfig?: string | undefined;
        readonly context?: string | undefined;
        readonly namespace?: string | undefined;
        readonly runtimeClassName?: string | undefined;
        readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;
        readonly imagePullSecrets?: readonly string[] | undefined;
        readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
        readonly tolerations?: readonly Readonly<Record<string, unknown>>[] | undefined;
        readonly storageBytes?: number | undefined;
        readonly limits?: PodResources | undefined;
        readonly requests?: PodResources | undefined;
      }
    | undefined;
  /** Base of a relative `skillsPackage.path`. Defaults to the working directory. */
  readonly workDir?: string | undefined;
  /** Directory of the workspaces of `local`. Defaults to the runtime's own. */
  readonly root?: string | undefined;
  /** Whether commands get writable copies of skills, as in both runtimes (`run`: `local` only). Defaults to `none`. */
  readonly skillCopies?: "none" | "run" | "workspace" | undefined;
  /**
   * A folder of the user that commands see at `work/project` and may change, with the local runtime and a sandbox only.
   * The user is asked once, through `dependencies.approval`. Defaults to none.
   */
  readonly hostFolder?:
    | {
        /** Absolute path. */
        readonly path: string;
        /** A snapshot precedes the first change of each turn. Defaults to true. */
        readonly undo?: boolean | undefined;
        /** Most files and folders of a snapshot. Defaults to 50,000. */
        readonly maxFiles?: number | undefined;
        /** Most bytes of a snapshot. Defaults to 1 GiB. */
        readonly maxBytes?: number | undefined;
      }
    | undefined;
}
