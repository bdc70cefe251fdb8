import { expect, test } from "vitest";
import { HOME, PROJECT, projectAndHome } from "./project-and-home.js";

test("the home's file says whether the working directory is trusted, also where that has no file of its own", async () => {
  const { load, root } = await projectAndHome({ [HOME]: { trusted_projects: ["<root>/project"] } });
  expect((await load()).trustsProject).toBe(true);
  expect((await load({}, root)).trustsProject).toBe(false);
});

test("without a word on it nothing is, and a project cannot say it of itself", async () => {
  const { load } = await projectAndHome({ [PROJECT]: { trusted_projects: ["<root>/project"] } });
  expect((await load()).trustsProject).toBe(false);
});
