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
  /** Where commands run: one workspace per client. Without it, skills are knowledge only, and no tool runs commands. */
  readonly workspaces?: Workspaces | undefined;
  /** The server's name, as hosts show it. Defaults to `skillwright`. */
  readonly name?: string | undefined;
  /** The server's version. Defaults to that of this package. */
  readonly version?: string | undefined;
  /** The list of skills in the server's instructions. Defaults to 4,000 characters and 32 skills. */
  readonly overview?: Pick<InjectorOptions, "maxCharacters" | "maxSkills"> | undefined;
  /** What else the model should know, after the list of skills. */
  readonly instructions?: string | undefined;
  /** What a person can do where the host cannot ask them; ends the refusal. Defaults to a general sentence. */
  readonly approvalRemedy?: string | undefined;
  /** How long a question waits for its answer, in milliseconds. Defaults to 600,000 (ten minutes). */
  readonly approvalTimeoutMs?: number | undefined;
  /** Most calls of one client at the same time, those that wait included. Defaults to 64; others are refused. */
  readonly maxCalls?: number | undefined;
  /** Receives problems that no call reports: messages that cannot be read, skills that cannot be offered. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}
