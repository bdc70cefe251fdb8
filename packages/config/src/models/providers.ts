/** What the command line needs to know about a provider without importing its package. */
export interface ProviderEntry {
  readonly keyVariable: string;
  readonly baseURLVariable?: string;
  /** Used where `--model` names only the provider. */
  readonly defaultModel: string;
}

/** In the order in which keys are looked up. */
export const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  openai: {
    keyVariable: "OPENAI_API_KEY",
    baseURLVariable: "OPENAI_BASE_URL",
    defaultModel: "gpt-5-mini",
  },
  anthropic: { keyVariable: "ANTHROPIC_API_KEY", defaultModel: "claude-sonnet-4-5" },
};
