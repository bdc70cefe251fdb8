import type { RegistryLabels, VersionLabels } from "./registry-labels.js";

/** Keeps the labels in this process's memory: for tests, and for a registry that is filled when it starts. */
export function memoryLabels(): RegistryLabels {
  const all = new Map<string, VersionLabels>();
  return {
    read: async () => Object.fromEntries(all),
    async move(skill, label, version) {
      const { [label]: _, ...others } = all.get(skill) ?? {};
      all.set(skill, version === undefined ? others : { ...others, [label]: version });
    },
  };
}
