import { applyStateDeltas, type StateDelta, type ToolResult } from "@skillwright/core";
import { skillTools } from "@skillwright/tools";
import type { ToolCall, ToolCallOptions } from "@skillwright/tools/openai";
import { exampleCatalog, session } from "./example-skills.js";

export const tools = skillTools({ skills: exampleCatalog() });

export const LOADED = '<loaded_skill name="counter" source="own">\nInstructions of counter.\n</loaded_skill>';

/** A conversation's options, and the results reported in it. */
export function conversation() {
  const heard: { call: ToolCall; result: ToolResult }[] = [];
  const deltas: StateDelta[] = [];
  const options: ToolCallOptions = {
    context: () => ({ session, state: applyStateDeltas({}, deltas) }),
    onResult: (call, result) => {
      heard.push({ call, result });
      deltas[call.order] = result.stateDelta;
    },
  };
  return { options, heard };
}
