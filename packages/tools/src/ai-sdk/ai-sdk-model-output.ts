import { isRefusalOutput } from "../tool-refusal.js";

/** JSON as the AI SDK types it. */
type AiSdkJson = string | number | boolean | null | AiSdkJson[] | { [key: string]: AiSdkJson };

export type AiSdkModelOutput =
  | { type: "text"; value: string }
  | { type: "json" | "error-json"; value: AiSdkJson };

/** The form in which an output is passed to the model. */
export function aiSdkModelOutput(output: unknown): AiSdkModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  return { type: isRefusalOutput(output) ? "error-json" : "json", value: (output ?? null) as AiSdkJson };
}
