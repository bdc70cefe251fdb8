import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { memoryRecords } from "@skillwright/repository-memory";
import { describe, expect, test } from "vitest";
import { storedConversations } from "../../../../packages/server/src/conversations/stored-conversations.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { pageServer, ROOT, runStep, scriptedPage } from "../page-server.js";

const DIST = `${ROOT}apps/web/dist/`;

const LINE = "a line of output that is some eighty characters long, as they are, more or less\n";

if (hasAll("apps/web/dist"))
  test("WEB-38: what is loaded before a preview is opened has at most 250 kB of compressed JavaScript", () => {
    const html = readFileSync(`${DIST}index.html`, "utf8");
    const loaded = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(
      ([, path]) => path ?? "",
    );
    const bytes = loaded.reduce((sum, path) => sum + gzipSync(readFileSync(DIST + path)).length, 0);
    expect(readdirSync(`${DIST}assets`).length).toBeGreaterThan(loaded.length);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(250_000);
  });

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  describe("much of it", () => {
    test("WEB-39: of 2,000 messages few are in the document, wherever one scrolls", async () => {
      const app = `test-${randomUUID()}`;
      const records = memoryRecords();
      const messages = Array.from({ length: 2000 }, (_, at) => ({
        id: `message-${at}`,
        role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
        parts: [
          {
            type: "text",
            text: at % 2 === 0 ? `Question ${at}` : `Answer ${at}\n\n${"- a point\n".repeat(at % 9)}`,
          },
        ],
      }));
      const { create, change } = storedConversations(records, app);
      await create("ada", "long", { agent: "assistant", title: "Long" });
      await change("ada", "long", () => ({ messages: { all: messages } }));
      const { address } = await pageServer({ app, records });
      const page = await openPage(address, { view: "c/long" });
      await page.getByText("Answer 1999").waitFor();
      await screenshot(page, "32-many-messages");
      const mounted = () => page.getByRole("article").count();
      let most = await mounted();
      await page.getByRole("log", { name: "Messages" }).hover();
      for (let times = 0; times < 60; times++) {
        await page.mouse.wheel(0, -1500);
        most = Math.max(most, await mounted());
      }
      await expect
        .poll(async () => {
          await page.evaluate(`document.querySelector("[aria-label=Messages]").scrollTop = 0`);
          return await page.getByText("Question 0", { exact: true }).count();
        })
        .toBe(1);
      expect(Math.max(most, await mounted())).toBeLessThan(60);
    });

    test("WEB-40: of 20 MB of output the saved log has each byte, also after a reload and a later turn; few lines are in the document", async () => {
      const limits = { bytes: 64_000_000, bytesPerSecond: 64_000_000 };
      const command = `yes '${LINE.trim()}' | head -c 20000000`;
      const modelConfig = { provider: "test", model: "test" };
      const { address } = await scriptedPage(
        [runStep(command), { text: "All of it." }, { text: "You are welcome." }],
        {
          agents: { assistant: { modelConfig, eventLimits: limits } },
        },
      );
      const page = await openPage(address);
      await sayOn(page, "Print");
      await page.getByText("All of it.").waitFor();
      await page.getByRole("log", { name: "Output" }).getByText("a line of output").first().waitFor();
      expect(await page.getByRole("log", { name: "Output" }).locator("bdi").count()).toBeLessThan(100);
      await screenshot(page, "33-much-output");
      const saved = async () => {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: "Save the log" }).click(),
        ]);
        return readFileSync(await download.path(), "utf8");
      };
      const log = await saved();
      expect(log.length).toBe(20_000_000);
      expect(log === LINE.repeat(1 + log.length / LINE.length).slice(0, log.length)).toBe(true);
      await sayOn(page, "Thank you");
      await page.getByText("You are welcome.").waitFor();
      await page.reload();
      await page.getByText("You are welcome.").waitFor();
      await page
        .getByRole("region", { name: "Step: Run in the workspace" })
        .getByRole("button")
        .first()
        .click();
      await page.getByRole("log", { name: "Output" }).getByText("a line of output").first().waitFor();
      expect(await saved()).toBe(log);
    });
  });
