import { expect, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage } from "../browser.js";
import { pageServer } from "../page-server.js";

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  test("WEB-49: the list shows the newest of many conversations, loads more on demand, and its search finds all", async () => {
    const { address } = await pageServer();
    for (let n = 1; n <= 120; n++) {
      const body = JSON.stringify({ id: `c${n}`, title: `Talk number ${n}.` });
      const headers = { authorization: "Bearer ada", "content-type": "application/json" };
      expect((await fetch(`${address}v1/conversations`, { method: "POST", headers, body })).status).toBe(201);
    }
    const page = await openPage(address);
    const list = page.getByRole("list", { name: "Conversations" });
    await list.getByText("Talk number 120.").waitFor();
    expect(await list.getByText("Talk number").count()).toBe(100);
    await page.getByLabel("Search conversations").fill("number 7.");
    await list.getByText("Talk number 7.").waitFor();
    await expect.poll(() => list.getByText("Talk number").count()).toBe(1);
    await page.getByLabel("Search conversations").fill("");
    await page.getByRole("button", { name: "More conversations" }).click();
    await list.getByText("Talk number 1.").waitFor();
    expect(await list.getByText("Talk number").count()).toBe(120);
    expect(await page.getByRole("button", { name: "More conversations" }).count()).toBe(0);
    await page.getByLabel("Search conversations").fill("nothing like it");
    await page.getByText("No title has these words.").waitFor();
  });
