import { join } from "node:path";
import { expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { cliFixture } from "./cli-fixture.js";
import { servedProcess } from "./served-process.js";

if (hasAll("packages/cli/dist", "packages/server/dist", "root", "bubblewrap"))
  test("skillwright serve says once on standard error why no command will be run, and the remedy, and serves", async () => {
    const fixture = await cliFixture();
    // Below a folder of root that the user of sandboxed commands may not enter.
    const agent = { sandbox: { root: join(fixture.home, "workspaces") } };
    await fixture.write({ "home/.skillwright/skillwright.config.json": JSON.stringify({ agent }) });
    const served = await servedProcess(fixture);
    await expect.poll(served.shown).toMatch(/Commands cannot be isolated, so none will be run: .*chmod o\+x/);
    expect((await served.ask("/agents")).status).toBe(200);
    expect(served.shown().split("Commands cannot be isolated")).toHaveLength(2);
  });
