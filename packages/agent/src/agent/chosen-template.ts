import { SkillError } from "@skillwright/core";
import type { AgentTemplate } from "./agent-template.js";

/** @throws SkillError `CONFIG_INVALID` listing the known templates. */
export function chosenTemplate(
  id: string,
  templates: Readonly<Record<string, AgentTemplate>>,
): AgentTemplate {
  const template = Object.hasOwn(templates, id) ? templates[id] : undefined;
  if (template) return template;
  const names = Object.keys(templates).join(", ") || "none; pass at least one";
  const fields = [{ path: "templateId", given: JSON.stringify(id), expected: `one of ${names}` }];
  throw new SkillError(
    "CONFIG_INVALID",
    `templateId: given ${JSON.stringify(id)}; expected one of ${names}.`,
    {
      details: { fields },
    },
  );
}
