/** A conversation of a user with an agent, without its messages. */
export interface Conversation {
  readonly id: string;
  /** Name of the agent that answers. */
  readonly agent: string;
  readonly title: string;
  /** ISO 8601 time. */
  readonly createdAt: string;
  /** ISO 8601 time. */
  readonly updatedAt: string;
  readonly usage: TokenUsage;
}

/** What the model calls of a conversation used, as far as the model's server reported it. */
export interface TokenUsage {
  readonly turns: number;
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const NO_USE: TokenUsage = { turns: 0, steps: 0, inputTokens: 0, outputTokens: 0 };

/** The sum of two uses. */
export function added(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    turns: a.turns + b.turns,
    steps: a.steps + b.steps,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}
