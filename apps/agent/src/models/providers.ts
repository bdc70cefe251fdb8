/** What the command line needs to know of a provider, without loading its package. */
export interface ProviderEntry {
  readonly keyVariable: string;
  readonly baseURLVariable?: string;
  /** Used where `--model` names the provider only. */
  readonly defaultModel: string;
}

/** In the order in which keys are looked for. */
export const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  openai: {
    keyVariable: "OPENAI_API_KEY",
    baseURLVariable: "OPENAI_BASE_URL",
    defaultModel: "gpt-5-mini",
  },
  anthropic: { keyVariable: "ANTHROPIC_API_KEY", defaultModel: "claude-sonnet-4-5" },
};
