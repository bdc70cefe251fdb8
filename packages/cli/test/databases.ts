import { expect, test } from "vitest";
import { cliFixture, skill } from "./cli-fixture.js";

/** Registers what the command does with a database, whose source the given function returns for each test. */
export function testDatabase(make: () => Promise<string>): void {
  test("publish, list, inspect, install and rollback use a repository in a database (STORE-24)", async () => {
    const source = await make();
    const { cli, write } = await cliFixture({
      "project/pdf/SKILL.md": skill("pdf", "Reads PDF files. Use it when a PDF is given."),
      "project/pdf/scripts/read.sh": "#!/bin/sh\necho\n",
    });
    const first = await cli(["publish", "./pdf", "--to", source]);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("✔ pdf  version 1, 2 files, to ");
    expect((await cli(["publish", "./pdf", "--to", source])).out).toContain("unchanged, version 1");

    await write({ "project/skillwright.config.json": JSON.stringify({ skills: { repositories: {} } }) });
    const home = JSON.stringify({ skills: { repositories: { team: source } } });
    await write({ "home/.skillwright/skillwright.config.json": home });
    const listed = JSON.parse((await cli(["list", "--json"])).out);
    expect(listed.skills).toMatchObject([{ name: "pdf", source: "repository team" }]);
    const seen = JSON.parse((await cli(["inspect", "pdf", "--json"])).out);
    expect(seen.manifest.files.map(({ path }: { path: string }) => path)).toEqual([
      "SKILL.md",
      "scripts/read.sh",
    ]);
    expect(await cli(["install", source])).toMatchObject({ code: 0 });

    await write({
      "project/pdf/SKILL.md": skill("pdf", "Reads PDF files better. Use it when one is given."),
    });
    expect(await cli(["publish", "./pdf", "--to", source])).toMatchObject({ code: 0 });
    expect(await cli(["update", "--check"])).toMatchObject({ code: 1 });
    expect(await cli(["rollback", "pdf", "--at", source, "--to", "1"])).toMatchObject({ code: 0, err: "" });
    const { versions } = JSON.parse((await cli(["rollback", "pdf", "--at", source, "--json"])).out);
    expect(versions.map(({ version }: { version: string }) => version)).toEqual(["3", "2", "1"]);
    expect(versions[0].digest).toBe(versions[2].digest);
    expect(await cli(["update", "--check"])).toMatchObject({ code: 0 });
  });

  test("two names in one database are two repositories", async () => {
    const source = await make();
    const { cli } = await cliFixture({ "project/pdf/SKILL.md": skill("pdf", "Reads PDF files for you.") });
    await cli(["publish", "./pdf", "--to", `${source}#one`]);
    const at = (name: string) => cli(["rollback", "pdf", "--at", `${source}#${name}`]);
    expect(await at("one")).toMatchObject({ code: 0 });
    expect((await at("two")).err).toContain("has no version");
  });
}
