import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { pageServer, ROOT, runStep, scriptedPage } from "../page-server.js";

/** What axe finds that is serious or worse. */
async function serious(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return (await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + " " + html.slice(0, 200) + " " + failureSummary)))`)) as readonly string[];
}

/** A page with an answer, a preview and a workspace behind it. */
async function usedPage(context = {}): Promise<Page> {
  const { address } = await pageServer();
  const page = await openPage(address, { context });
  await page.getByLabel("Files to add").setInputFiles(`${ROOT}data/orders.csv`);
  await page.getByText("27.4 kB").waitFor();
  await sayOn(page, "Analyse orders.csv and write me a report");
  await page.getByRole("button", { name: "Open out/report.md version 0" }).waitFor();
  await page.getByText("3 model calls").waitFor();
  return page;
}

const VIEWS = ["", "skills", "skills/csv-analyst", "workspaces", "operator"] as const;

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  describe("for everyone", () => {
    test.each(["light", "dark"] as const)(
      "WEB-30: axe finds nothing serious on any view (%s)",
      async (colorScheme) => {
        const page = await usedPage({ colorScheme, reducedMotion: "reduce" });
        expect(await serious(page)).toEqual([]);
        await screenshot(page, `24-${colorScheme}`);
        await page.getByRole("button", { name: "Open out/report.md version 0" }).click();
        await page.getByRole("dialog").getByText("Largest region").waitFor();
        expect(await serious(page)).toEqual([]);
        await page.keyboard.press("Escape");
        for (const view of VIEWS) {
          await page.goto(`${page.url().split("#")[0]}#/${view}`);
          await page.getByRole("heading", { level: 1 }).first().waitFor();
          await page.waitForLoadState("networkidle");
          expect([view, await serious(page)]).toEqual([view, []]);
        }
      },
    );

    test("WEB-31: at 360 px nothing is wider than the screen, and the list opens and closes", async () => {
      const page = await usedPage({ viewport: { width: 360, height: 740 }, hasTouch: true });
      const isWithin = () =>
        page.evaluate("document.documentElement.scrollWidth <= 360 && document.body.scrollWidth <= 360");
      expect(await isWithin()).toBe(true);
      await screenshot(page, "25-narrow");
      for (const view of VIEWS) {
        await page.goto(`${page.url().split("#")[0]}#/${view}`);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        await page.waitForLoadState("networkidle");
        expect([view, await isWithin()]).toEqual([view, true]);
        await screenshot(page, `26-narrow-${view.replace("/", "-") || "new"}`);
      }
      await page.getByRole("button", { name: "Open the list" }).click();
      await page.getByRole("link", { name: "Analyse orders.csv" }).waitFor();
      await screenshot(page, "27-narrow-list");
      await page.getByRole("link", { name: "Analyse orders.csv" }).click();
      await page.getByRole("button", { name: "Open out/report.md version 0" }).waitFor();
    });

    test("WEB-32: keys alone reach everything: a message, its step, an artifact, a view", async () => {
      const { address } = await pageServer();
      const page = await openPage(address);
      const tabTo = async (name: RegExp) => {
        for (let times = 0; times < 60; times++) {
          await page.keyboard.press("Tab");
          const label = (await page.evaluate(
            "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)",
          )) as string;
          if (name.test(label)) return;
        }
        throw new Error(`No key reached ${name}.`);
      };
      await page.getByText("Signed in as ada").waitFor();
      await tabTo(/^Message$/);
      await page.keyboard.type("Analyse my orders");
      await page.keyboard.press("Enter");
      await page.getByText(/model call/).waitFor();
      await tabTo(/Load the skill/);
      await page.keyboard.press("Enter");
      await page.getByText("Input").first().waitFor();
      await page.keyboard.press("Shift+Tab");
      await tabTo(/^Skills$/);
      await page.keyboard.press("Enter");
      await page.getByLabel("Search skills").waitFor();
    });

    test("WEB-33: works below a path behind a proxy", async () => {
      const { createServer, request } = await import("node:http");
      const { address } = await pageServer();
      const proxy = createServer((incoming, answer) => {
        const { method, headers, url = "" } = incoming;
        if (!url.startsWith("/some/path/")) return void answer.writeHead(404).end();
        const to = new URL(url.slice("/some/path".length), address);
        const passed = request(to, { method, headers } as object, (from) => {
          answer.writeHead(from.statusCode ?? 502, from.headers);
          from.pipe(answer);
        });
        incoming.pipe(passed);
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      const { port } = proxy.address() as { port: number };
      const page = await openPage(`http://localhost:${port}/some/path/`);
      await sayOn(page, "What can you do for me?");
      await page.getByText(/model call/).waitFor();
      await page.reload();
      await page.getByText(/model call/).waitFor();
      await page.goto(`http://localhost:${port}/some/path/#/skills/csv-analyst`);
      await page.getByRole("heading", { name: "CSV analyst" }).waitFor();
      proxy.closeAllConnections();
      proxy.close();
    });

    test("WEB-53: numbers, sizes and dates are in the form of the browser's locale, beside English texts", async () => {
      const { address } = await scriptedPage([runStep("seq 1234"), { text: "Counted." }]);
      const page = await openPage(address, { context: { locale: "de-DE" } });
      await page.route("**/v1/conversations", async (route) => {
        if (route.request().method() !== "GET") return await route.fallback();
        const response = await route.fetch();
        const listed = (await response.json()) as readonly object[];
        const json = listed.map((one) => ({ ...one, updatedAt: "2024-03-05T12:00:00.000Z" }));
        await route.fulfill({ response, json });
      });
      await page.getByLabel("Files to add").setInputFiles(`${ROOT}data/orders.csv`);
      await page.getByText("27,4 kB", { exact: true }).waitFor();
      await sayOn(page, "Count");
      await page.getByText("1.234 lines", { exact: true }).waitFor();
      await page.getByRole("list", { name: "Conversations" }).getByText("5. März 2024").waitFor();
      expect(await page.evaluate("document.documentElement.lang")).toBe("en");
      await screenshot(page, "43-german-numbers");
      // The list is read again and again, also while the page closes.
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });
