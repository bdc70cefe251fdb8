import assert from "node:assert/strict";
import { scribble } from "../scribble.js";
import { skillMarkdown, TWO_SKILLS } from "../seeds.js";
import { endsWhenAborted } from "../traits/aborted.js";
import type { RepositoryPromise } from "./subject.js";

const RICH =
  "---\nname: rich\ndescription: Has much.\nlicense: MIT\nx-custom:\n  deep: [1, two, true]\n---\nBody\n";
const MARKER = "skillwrightContractMarker";

export const listingPromises: readonly RepositoryPromise[] = [
  {
    id: "skill-repository/list/empty",
    promise: "The listing of an empty repository is empty.",
    seed: {},
    run: async ({ repository }) => {
      const { skills, broken } = await repository.list();
      assert.deepEqual({ skills, broken }, { skills: [], broken: [] });
    },
  },
  {
    id: "skill-repository/list/sorted",
    promise: "Skills are sorted by name, then by path; broken skills are sorted by path.",
    seed: {
      zebra: { "SKILL.md": skillMarkdown("alpha") },
      "b/twin": { "SKILL.md": skillMarkdown("twin") },
      "a/twin": { "SKILL.md": skillMarkdown("twin") },
      mike: { "SKILL.md": skillMarkdown("mike") },
      y: { "SKILL.md": "no header" },
      x: { "SKILL.md": "no header" },
    },
    run: async ({ repository }) => {
      const { skills, broken } = await repository.list();
      const places = skills.map(({ name, path }) => `${name} at ${path}`);
      assert.deepEqual(places, ["alpha at zebra", "mike at mike", "twin at a/twin", "twin at b/twin"]);
      assert.deepEqual(
        broken.map(({ path }) => path),
        ["x", "y"],
      );
    },
  },
  {
    id: "skill-repository/list/summary",
    promise: "A summary has the name, the description, the path and every frontmatter field as written.",
    seed: { rich: { "SKILL.md": RICH } },
    run: async ({ repository }) => {
      const [summary] = (await repository.list()).skills;
      assert.equal(summary?.name, "rich");
      assert.equal(summary.description, "Has much.");
      assert.equal(summary.path, "rich");
      const { license, "x-custom": custom } = summary.frontmatter;
      assert.deepEqual([license, custom], ["MIT", { deep: [1, "two", true] }]);
    },
  },
  {
    id: "skill-repository/list/no-body",
    promise: "A summary contains neither a body nor a manifest.",
    seed: TWO_SKILLS,
    run: async ({ repository }) => {
      const { skills } = await repository.list();
      assert.equal(skills.length, 2);
      for (const summary of skills)
        assert(!("body" in summary) && !("manifest" in summary), "A summary contains a body or a manifest.");
    },
  },
  {
    id: "skill-repository/list/broken",
    promise: "A broken skill is listed with the reasons, and the other skills are still listed.",
    seed: { ...TWO_SKILLS, broken: { "SKILL.md": "---\nname: broken\n---\nNo description.\n" } },
    run: async ({ repository }) => {
      const listing = await repository.list();
      assert.deepEqual(
        listing.skills.map(({ name }) => name),
        ["csv", "csv-analyst"],
      );
      assert.deepEqual(
        listing.broken.map(({ path }) => path),
        ["broken"],
      );
      assert(listing.broken[0]?.diagnostics.some(({ severity }) => severity === "error"));
    },
  },
  {
    id: "skill-repository/list/name-of-folder",
    promise: "A skill without a name is given the name of its folder, and a diagnostic reports it.",
    seed: { "some-folder": { "SKILL.md": "---\ndescription: Nameless.\n---\n" } },
    run: async ({ repository }) => {
      const [summary] = (await repository.list()).skills;
      assert.equal(summary?.name, "some-folder");
      assert.notEqual(summary.diagnostics.length, 0);
    },
  },
  {
    id: "skill-repository/list/nested",
    promise: "A skill inside the folder of another skill is listed as a skill of its own.",
    seed: {
      outer: { "SKILL.md": skillMarkdown("outer") },
      "outer/parts/inner": { "SKILL.md": skillMarkdown("inner"), "note.txt": "inner note" },
    },
    run: async ({ repository }) => {
      const { skills } = await repository.list();
      const places = skills.map(({ name, path }) => `${name} at ${path}`);
      assert.deepEqual(places, ["inner at outer/parts/inner", "outer at outer"]);
    },
  },
  {
    id: "skill-repository/list/hostile-name",
    promise: "A name that looks like a path is never used as a path.",
    seed: { label: { "SKILL.md": skillMarkdown("../../etc/passwd") } },
    run: async ({ repository }) => {
      const [summary] = (await repository.list()).skills;
      assert.deepEqual([summary?.name, summary?.path], ["../../etc/passwd", "label"]);
    },
  },
  {
    id: "skill-repository/list/executes-nothing",
    promise: "No code found in a skill is executed.",
    seed: { evil: { "SKILL.md": `---js\nglobalThis.${MARKER} = 1\n---\nname: evil\n` } },
    run: async ({ repository }) => {
      await repository.list();
      assert(!(MARKER in globalThis), "Code in the frontmatter was executed.");
    },
  },
  {
    id: "skill-repository/list/own",
    promise: "A caller may change the listing that it has received; the repository stays the same.",
    seed: { rich: { "SKILL.md": RICH }, broken: { "SKILL.md": "no header" } },
    run: async ({ repository }) => {
      const before = await repository.list();
      const copy = structuredClone(before);
      scribble(before);
      assert.deepEqual(await repository.list(), copy);
    },
  },
  endsWhenAborted("skill-repository/list/aborted", {}, ({ repository }, signal) =>
    repository.list({ signal }),
  ),
];
