import { type CheckedAgentConfig, checkAgentConfig, type LoadedConfiguration } from "@skillwright/config";

/** Returns the agent's part of the configuration with defaults. The MCP host has the model, so no model is needed here. */
export function checkedAgent({ configuration }: LoadedConfiguration): CheckedAgentConfig {
  return checkAgentConfig({
    ...configuration.agent,
    modelConfig: { provider: "offline", model: "offline" },
    skillsPackage: undefined,
  });
}
