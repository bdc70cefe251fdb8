import type { Diagnostic, SkillCatalog, Workspaces } from "@skillwright/core";
import type { InjectorOptions } from "@skillwright/injector";
import type { SkillToolsOptions } from "@skillwright/tools";

/** Settings of the tools, as in `skillTools` of `@skillwright/tools`. */
type ToolSettings = Pick<
  SkillToolsOptions,
  | "search"
  | "calls"
  | "interactive"
  | "mustAsk"
  | "mustAskToWrite"
  | "policy"
  | "preApproved"
  | "requireLoad"
  | "saveOutputs"
  | "maxResultCharacters"
>;

export interface SkillServerOptions extends ToolSettings {
  readonly skills: SkillCatalog;
  /** The workspaces in which commands run, one for each client. Without it, no tool runs commands. */
  readonly workspaces?: Workspaces | undefined;
  /** The server's name, as hosts show it. Defaults to `skillwright`. */
  readonly name?: string | undefined;
  /** The server's version. Defaults to that of this package. */
  readonly version?: string | undefined;
  /**
   * Lets runs read files in the folders that are open in the host (its roots), as `host://` inputs, after the person has agreed; they
   * are asked when a call first names such a file. Only for a host on this machine. Defaults to false.
   */
  readonly roots?: boolean | undefined;
  /** The list of skills in the server's instructions. Defaults to 4,000 characters and 32 skills. */
  readonly overview?: Pick<InjectorOptions, "maxCharacters" | "maxSkills"> | undefined;
  /** Further instructions for the model, placed after the list of skills. */
  readonly instructions?: string | undefined;
  /** What a person can do if the host cannot ask them. The refusal ends with this text. Defaults to a general sentence. */
  readonly approvalRemedy?: string | undefined;
  /** How long a question waits for its answer, in milliseconds. Defaults to 600,000 (ten minutes). */
  readonly approvalTimeoutMs?: number | undefined;
  /** The number of calls that one client may have in progress, including waiting ones. Defaults to 64; further calls are refused. */
  readonly maxCalls?: number | undefined;
  /** Receives problems that no call reports: messages that cannot be read, and skills that cannot be offered. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}
