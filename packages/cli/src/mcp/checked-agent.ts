import { type CheckedAgentConfig, checkAgentConfig, type LoadedConfiguration } from "@skillwright/config";

/** The agent's part of the configuration with its defaults. The host has a model, so none is needed here. */
export function checkedAgent({ configuration }: LoadedConfiguration): CheckedAgentConfig {
  return checkAgentConfig({
    ...configuration.agent,
    modelConfig: { provider: "offline", model: "offline" },
    skillsPackage: undefined,
  });
}
