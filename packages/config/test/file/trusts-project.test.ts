import { expect, test } from "vitest";
import { HOME, PROJECT, projectAndHome } from "./project-and-home.js";

test("trusted_projects of the home's file decides whether the working directory is trusted, even without a project file", async () => {
  const { load, root } = await projectAndHome({ [HOME]: { trusted_projects: ["<root>/project"] } });
  expect((await load()).trustsProject).toBe(true);
  expect((await load({}, root)).trustsProject).toBe(false);
});

test("a project is untrusted by default and cannot trust itself", async () => {
  const { load } = await projectAndHome({ [PROJECT]: { trusted_projects: ["<root>/project"] } });
  expect((await load()).trustsProject).toBe(false);
});
