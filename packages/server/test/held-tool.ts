import type { SkillTool } from "@skillwright/core";
import { signalled } from "./signalled.js";
import { scripted } from "./test-server.js";

/** A tool that answers when it is opened, or when its turn is stopped. */
export function heldTool() {
  const [opened, open] = signalled();
  const [called, call] = signalled();
  const tool: SkillTool = {
    ...{ name: "hold", description: "Waits.", inputSchema: { type: "object" }, parallel: false },
    execute: async (_input, { signal }) => {
      call();
      await Promise.race([opened, new Promise((resolve) => signal?.addEventListener("abort", resolve))]);
      return { output: "held", isError: false, stateDelta: {}, artifacts: [], diagnostics: [] };
    },
  };
  return { tool, called, open };
}

/** An agent whose model calls that tool, then says these words. */
export function withTool(tool: SkillTool, text = "Done.") {
  const { dependencies } = scripted([{ calls: [{ tool: "hold", input: {} }] }, { text }]);
  return {
    agents: { assistant: { templateId: "test", modelConfig: { provider: "test", model: "test" } } },
    dependencies: {
      ...dependencies,
      tools: { hold: tool },
      templates: { test: { systemPrompt: "You are tested.", tools: ["hold"] } },
    },
  };
}
