import { SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import { HOME, projectAndHome } from "./project-and-home.js";

test.each([
  [{ entries: { pdf: { apiKey: "secret-value" } } }, "skills.entries.pdf.apiKey", "api_key"],
  [{ allowBundled: [] }, "skills.allowBundled", "allow_bundled"],
  [{ load: { extraDirs: ["/a"] } }, "skills.load", "repositories"],
  [{ extraDirs: ["/a"] }, "skills.extraDirs", "repositories"],
])("a field name of another client is refused with this client's name: %j", async (skills, path, ours) => {
  const { load } = await projectAndHome({ [HOME]: { skills } });
  const error = await load().catch((thrown: unknown) => thrown);
  expect(SkillError.is(error, "CONFIG_INVALID")).toBe(true);
  const { message } = error as SkillError;
  expect(message).toContain(path);
  expect(message).toContain(`the name it has here: ${ours}`);
  expect(message).not.toContain("secret-value");
});
