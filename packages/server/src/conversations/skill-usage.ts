import type { StoredMessage } from "../turns/ui-message.js";
import type { Offers } from "./conversations.js";

/** What the user's turns did with one skill. */
export interface SkillUsage {
  readonly skill: string;
  /** Turns in which the model could choose it. */
  readonly offered: number;
  /** Times that its instructions were loaded. */
  readonly loaded: number;
  /** Commands that were run with it, and those of them that failed or were refused. */
  readonly run: number;
  readonly failed: number;
  /** Duration of the commands. */
  readonly durationMs: number;
  /** Tokens of the steps that loaded or ran it. */
  readonly tokens: number;
}

/** Counts what the messages tell of skills, most run first. */
export function skillUsage(
  messages: Iterable<StoredMessage>,
  offers: Iterable<Offers>,
): readonly SkillUsage[] {
  const counts = new Map<string, SkillUsage>();
  const count = (skill: string, more: Partial<Omit<SkillUsage, "skill">>) => {
    const before = counts.get(skill) ?? { skill, ...NONE };
    const sum = (field: keyof typeof NONE) => before[field] + (more[field] ?? 0);
    counts.set(skill, {
      ...{ skill, offered: sum("offered"), loaded: sum("loaded"), run: sum("run"), failed: sum("failed") },
      ...{ durationMs: sum("durationMs"), tokens: sum("tokens") },
    });
  };
  for (const turns of offers) for (const [skill, offered] of Object.entries(turns)) count(skill, { offered });
  for (const { role, parts } of messages) {
    if (role !== "assistant") continue;
    let tokens = 0;
    for (const part of parts as unknown as readonly Part[]) {
      if (part.type === "data-step") tokens = (part.data.inputTokens ?? 0) + (part.data.outputTokens ?? 0);
      if (part.type !== "dynamic-tool") continue;
      const { skill } = part.input ?? {};
      if (typeof skill !== "string") continue;
      if (part.toolName === "skill_load") count(skill, { loaded: 1, tokens });
      else if (part.toolName === "skill_run") count(skill, { run: 1, tokens, ...outcome(part) });
      tokens = 0;
    }
  }
  return [...counts.values()].sort((a, b) => b.run - a.run || (a.skill < b.skill ? -1 : 1));
}

const NONE = { offered: 0, loaded: 0, run: 0, failed: 0, durationMs: 0, tokens: 0 };

type Part =
  | { readonly type: "data-step"; readonly data: { inputTokens?: number; outputTokens?: number } }
  | {
      readonly type: "dynamic-tool";
      readonly toolName: string;
      readonly state: string;
      readonly input?: { readonly skill?: unknown };
      readonly output?: { readonly exit_code?: number; readonly duration_ms?: number };
    };

function outcome({ state, output }: Part & { type: "dynamic-tool" }) {
  const isFailed = state === "output-error" || (output?.exit_code ?? 0) !== 0;
  return { failed: isFailed ? 1 : 0, durationMs: output?.duration_ms ?? 0 };
}
