import { Secret, SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import { standardPlaces } from "../../src/places/standard-places.js";
import { HOME, PROJECT, projectAndHome } from "./project-and-home.js";

const openclaw = {
  entries: {
    pdf: { enabled: true, apiKey: { source: "env", provider: "default", id: "PDF_KEY" }, env: { A: "b" } },
    forge: { apiKey: "written-in-the-file", config: { endpoint: "x" } },
  },
  allowBundled: ["pdf"],
  load: { extraDirs: ["~/shared/skills", "/srv/skills"] },
};

test("the names of OpenClaw's configuration are accepted (ELIG-12)", async () => {
  const { load, home, project } = await projectAndHome({ [HOME]: { skills: openclaw } });
  const { configuration } = await load({ PDF_KEY: "a-long-secret-value" });
  const { settings, repositories } = configuration.skills;
  expect(settings.allowBundled).toEqual(["pdf"]);
  expect(settings.skills?.["pdf"]).toMatchObject({ enabled: true, env: { A: "b" } });
  const keys = ["pdf", "forge"].map((key) =>
    String(settings.skills?.[key]?.apiKey instanceof Secret && settings.skills[key].apiKey.reveal()),
  );
  expect(keys).toEqual(["a-long-secret-value", "written-in-the-file"]);
  const places = await standardPlaces({ project, home, repositories, kinds: [] });
  expect(places.map(({ root, trusted }) => [root, trusted])).toEqual([
    [`${home}/shared/skills`, true],
    ["/srv/skills", true],
  ]);
});

test.each([HOME, PROJECT])(
  "settings of OpenClaw that have no effect here are reported and left out, in %s (ELIG-12)",
  async (file) => {
    const more = { load: { watch: true, watchDebounceMs: 250 }, install: { preferBrew: true } };
    const { load } = await projectAndHome({
      [file]: { skills: { entries: { noisy: { enabled: false } }, ...more } },
    });
    const { configuration, diagnostics } = await load();
    expect(configuration.skills.settings.skills).toEqual({ noisy: { enabled: false } });
    expect(diagnostics.map(({ code, message }) => [code, message.split(" ")[0]])).toEqual([
      ["configuration.no-effect", "skills.load.watch"],
      ["configuration.no-effect", "skills.load.watchDebounceMs"],
      ["configuration.no-effect", "skills.install"],
    ]);
  },
);

test("OpenClaw's names in a cloned project's file give it no more than our own (ELIG-12)", async () => {
  const { load } = await projectAndHome({ [PROJECT]: { skills: openclaw } });
  const { configuration, diagnostics } = await load({ PDF_KEY: "a-long-secret-value" });
  expect(configuration.skills.repositories).toEqual([]);
  expect(configuration.skills.settings.skills).toEqual({ pdf: { enabled: true }, forge: {} });
  const told = diagnostics.map(({ message }) => message).join("\n");
  for (const field of ["entries.pdf.api_key", "repositories.~/shared/skills", "repositories./srv/skills"])
    expect(told).toContain(`skills.${field}`);
});

test.each([
  [{ entries: { pdf: { apiKey: "secret-value", api_key: "b" } } }, "skills.entries.pdf.apiKey", "api_key"],
  [{ load: { other: true } }, "skills.load", "repositories"],
  [{ extraDirs: ["/a"] }, "skills.extraDirs", "repositories"],
])("a name of OpenClaw without an equivalent, or beside it, is refused: %j", async (skills, path, ours) => {
  const { load } = await projectAndHome({ [HOME]: { skills } });
  const error = await load().catch((thrown: unknown) => thrown);
  expect(SkillError.is(error, "CONFIG_INVALID")).toBe(true);
  const { message } = error as SkillError;
  expect(message).toContain(path);
  expect(message).toContain(`the name it has here: ${ours}`);
  expect(message).not.toContain("secret-value");
});
