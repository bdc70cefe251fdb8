import type { CheckedAgentConfig } from "@skillwright/config";
import {
  applyStateDeltas,
  type CallOptions,
  type Diagnostic,
  type SkillTool,
  type UploadedFile,
} from "@skillwright/core";
import {
  type Injector,
  injector,
  loadedNames,
  profileInjection,
  type SkillContext,
  type SkillLoads,
  skillChanges,
} from "@skillwright/injector";
import type { OpenConversation } from "../loop/conversation.js";
import { seenLoads } from "../loop/seen-loads.js";
import { loadedTexts } from "../skills/loaded-texts.js";
import type { AgentEvent } from "./agent-event.js";
import type { AgentProfile } from "./agent-profile.js";
import type { AgentSkills } from "./agent-skills.js";
import type { AgentTemplate } from "./agent-template.js";
import { catalogDiagnostics } from "./catalog-diagnostics.js";
import { COMPACTED_KEY, systemKey } from "./compact-conversation.js";
import { type LostFiles, lostFilesDiagnostic } from "./lost-files.js";
import { agentCommands, type CommandCall, turnContext, turnWords } from "./turn-words.js";
import { userMessage } from "./user-message.js";

export interface TurnStart extends CallOptions {
  readonly config: CheckedAgentConfig;
  readonly template: AgentTemplate;
  readonly skills: AgentSkills;
  readonly tools: ReadonlyMap<string, SkillTool>;
  readonly loads: SkillLoads;
  readonly profile: AgentProfile | undefined;
  readonly reservedCommands: readonly string[];
  readonly countTokens: ((text: string) => number) | undefined;
  readonly conversation: OpenConversation;
  readonly message: string;
  readonly uploads: readonly UploadedFile[];
  readonly lost: LostFiles | undefined;
  /** True where the user undid changes in the folder at `work/project` since the last turn. */
  readonly isUndone: boolean;
  readonly context?: Pick<SkillContext, "files" | "metadata"> | undefined;
}

export interface StartedTurn {
  /** Base and overview, as stored in the session. */
  readonly system: string;
  /** The tool that the user's command calls in the place of the model. */
  readonly call: CommandCall | undefined;
  readonly events: readonly AgentEvent[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Adds the start of the turn to the conversation: the profile where it is due, bodies of loaded skills that were
 * removed, the user's message. The first turn, and the first after a compaction, generates the system prompt and stores
 * its snapshot; later turns compare fingerprints and report changes in their own message.
 */
export async function startTurn(input: TurnStart): Promise<StartedTurn> {
  const { config, template, skills, conversation, uploads, signal } = input;
  const { catalog, commandFiles } = skills;
  const snapshot = await catalog.snapshot({ signal });
  const inject = injector({
    ...config.overview,
    countTokens: input.countTokens,
    tools: [...input.tools.keys()],
  });
  const commands = agentCommands(commandFiles, snapshot, input.reservedCommands);
  const isInSystem = config.loads.bodies === "system";
  const { skills: mentionable } = snapshot;
  const said = await turnWords({
    ...{
      message: input.message,
      commands,
      catalog,
      skills: mentionable,
      tools: input.tools,
      isInSystem,
      signal,
    },
  });
  const known = conversation.state[systemKey(config)];
  // A system prompt generated now reports no changes.
  const before = typeof known === "string" ? conversation.snapshot : undefined;
  const diagnostics: Diagnostic[] = [
    ...catalogDiagnostics(snapshot, conversation.snapshot),
    ...said.diagnostics,
    ...(input.lost ? [lostFilesDiagnostic(input.lost)] : []),
  ];

  conversation.apply([input.loads.startTurn(conversation.state)]);
  // Bodies in the system prompt are read each time, so none of them is outdated.
  const changes = before && skillChanges(before, snapshot, isInSystem ? {} : conversation.state);
  if (before && !isInSystem) {
    const outdated = input.loads.afterChange(conversation.state, before, snapshot);
    conversation.apply([outdated.delta]);
    diagnostics.push(...outdated.diagnostics);
  }
  diagnostics.push(...(await openWithProfile(input)));
  const note = inject.turnNote({
    snapshot,
    state: applyStateDeltas(conversation.state, [said.delta]),
    context: turnContext(input.message, said.command, uploads, input.context),
  });
  const message = userMessage(said.words, {
    triggered: note.text,
    changes,
    uploads,
    lost: input.lost,
    isUndone: input.isUndone,
  });
  const system =
    typeof known === "string" ? known : inject.enhanceSystemPrompt(template.systemPrompt, { snapshot });
  // Reported once, when the text that they concern is generated.
  const isTold = ({ code }: Diagnostic) => system === known && code !== "trigger.cut";
  if (system !== known) diagnostics.push(...inject.overview({ snapshot }).diagnostics);
  diagnostics.push(...note.diagnostics.filter((one) => !isTold(one)));

  if (system !== known) conversation.apply([{ [systemKey(config)]: system }]);
  if (conversation.snapshot?.fingerprint !== snapshot.fingerprint) conversation.keep(snapshot);
  if (!isInSystem) diagnostics.push(...(await putBackBodies(input, inject)));
  conversation.apply([said.delta]);
  conversation.apply([input.loads.settle(conversation.state, [said.delta]).delta]);
  conversation.add([{ role: "user", content: message }]);
  return {
    system,
    call: said.call,
    events: [
      {
        type: "turn.started",
        message,
        skills: snapshot.skills.length,
        offered: inject.getActiveSkillNames({ snapshot }).slice(0, config.overview.maxSkills ?? MOST_LISTED),
        systemPromptCharacters: system.length,
      },
      ...diagnostics.map((diagnostic): AgentEvent => ({ type: "notice", diagnostic })),
    ],
    diagnostics,
  };
}

/** As the injector lists by default. */
const MOST_LISTED = 32;

/** The profile comes first in an empty or compacted conversation; later ones precede the user's message. */
async function openWithProfile({
  profile,
  config,
  conversation,
  signal,
}: TurnStart): Promise<readonly Diagnostic[]> {
  const isCompacted = conversation.state[COMPACTED_KEY] === true;
  const isEmpty = isCompacted || conversation.messages.length === 0;
  if (isCompacted) conversation.apply([{ [COMPACTED_KEY]: null }]);
  if (!profile) return [];
  const every = config.agentPromptReinjectEvery;
  const due = profileInjection({ text: "due", state: conversation.state, isEmpty, every });
  conversation.apply([due.delta]);
  if (due.message === undefined) return [];
  const { text, diagnostics } = await profile.read({ signal });
  if (text.trim() === "") return diagnostics;
  const message = { role: "system" as const, content: text.trim() };
  if (isCompacted) conversation.replace([message, ...conversation.messages]);
  else conversation.add([message]);
  return diagnostics;
}

/** Loaded skills that the history no longer contains, and declared skills: one message for all of them. */
async function putBackBodies(
  { skills, conversation, signal }: TurnStart,
  inject: Injector,
): Promise<readonly Diagnostic[]> {
  const { state, snapshot, messages } = conversation;
  const present = seenLoads(messages);
  const names = loadedNames(state).filter((name) => !present.has(name));
  if (names.length === 0 || !snapshot) return [];
  const texts = await loadedTexts(skills.catalog, state, names, { signal });
  const { text, diagnostics } = inject.putBack({ snapshot, state, ...texts }, present);
  if (text !== "") conversation.add([{ role: "system", content: text }]);
  return diagnostics;
}
