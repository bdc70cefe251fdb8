import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsArtifacts, fsRecords } from "@skillwright/repository-fs";
import { localRuntime } from "@skillwright/runtime-local";
import { describe, expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../../../packages/agent/test/scripted-model.js";
import { markedSleep, processesWith } from "../../../../packages/runtime-local/test/running.js";
import { testServer } from "../../../../packages/server/test/test-server.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { HELD, isWhole, letGo } from "../held-run.js";
import { runStep, scriptedPage } from "../page-server.js";
import { servedPage } from "../served-page.js";

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  describe("the page never lies about state", () => {
    test("WEB-20: after a reload in the middle of a run, log, step and answer are whole, and nothing is there twice", async () => {
      const { address } = await scriptedPage([runStep(HELD), { text: "All of it." }]);
      const page = await openPage(address);
      await sayOn(page, "Count");
      await page.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
      await page.reload();
      await page.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
      await screenshot(page, "16-reloaded");
      await letGo(page, address);
      await isWhole(page);
      await page.reload();
      await isWhole(page);
    });

    test("WEB-50: the page shows the error of a failed turn once, also after a reload", async () => {
      const { address } = await scriptedPage([runStep(HELD), { error: new Error("overloaded") }]);
      const page = await openPage(address);
      await sayOn(page, "Count");
      await page.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
      await letGo(page, address);
      const isTold = async () => {
        await page.getByText("gave no answer: overloaded").first().waitFor();
        expect(await page.getByText("gave no answer: overloaded").count()).toBe(1);
      };
      await isTold();
      await page.reload();
      await isTold();
    });

    test("WEB-21: a lost network is told, and afterwards everything is whole", async () => {
      const { address } = await scriptedPage([runStep(HELD), { text: "All of it." }]);
      const page = await openPage(address);
      await sayOn(page, "Count");
      await page.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
      await page.context().setOffline(true);
      await page.getByText("The server does not answer.").waitFor();
      await screenshot(page, "17-lost");
      await letGo(page, address);
      await page.context().setOffline(false);
      await isWhole(page);
      await expect.poll(() => page.getByText("The server does not answer.").count()).toBe(0);
    });

    test("WEB-22: a server that ends in the middle of a run and another that goes on look like one", async () => {
      const root = await mkdtemp(join(tmpdir(), "skillwright-web-"));
      onTestFinished(() => rm(root, { recursive: true, force: true }));
      const runtime = localRuntime({ isolation: "auto" });
      onTestFinished(() => runtime.close());
      const started = () =>
        testServer({
          ...{ app: "restarted", runtime, leaseMs: 2000 },
          records: fsRecords({ root: join(root, "records") }),
          artifacts: fsArtifacts({ root: join(root, "artifacts") }),
          agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
          dependencies: {
            models: () =>
              scriptedModel((_, { prompt }) =>
                prompt.some(({ role }) => role === "tool") ? { text: "All of it." } : runStep(HELD),
              ).model,
          },
        });
      const first = started();
      const served = await servedPage(first);
      const page = await openPage(served.address);
      await sayOn(page, "Count");
      await page.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
      await served.close();
      await first.close();
      await page.getByText("The server does not answer.").waitFor();
      await servedPage(started(), Number(new URL(served.address).port));
      await expect.poll(() => page.getByText("The server does not answer.").count()).toBe(0);
      await letGo(page, served.address);
      await isWhole(page);
      await screenshot(page, "18-another-server");
    });

    test("WEB-23: a second tab follows the turn of the first, and its next message appears in both", async () => {
      const { address } = await scriptedPage([runStep(HELD), { text: "All of it." }, { text: "More." }]);
      const page = await openPage(address);
      await sayOn(page, "Count");
      await page.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
      const other = await openPage(address, { beside: page, view: new URL(page.url()).hash.slice(2) });
      await other.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
      await letGo(page, address);
      await isWhole(page);
      await isWhole(other);
      await sayOn(other, "Go on");
      await page.getByText("More.").waitFor();
      expect(await page.getByText("Go on").count()).toBe(1);
    });

    test("WEB-24: Stop ends the process, at once and after a reload, and leaving the conversation does not", async () => {
      for (const isReloaded of [false, true]) {
        const sleep = markedSleep();
        const { address } = await scriptedPage([runStep(`echo begun; ${sleep}; true`), { text: "Done." }]);
        const page = await openPage(address);
        await sayOn(page, "Sleep");
        await page.getByRole("log", { name: "Output" }).getByText("begun").waitFor();
        const conversation = page.url();
        await page.getByRole("link", { name: "Skills" }).click();
        await page.getByRole("heading", { name: "Skills" }).waitFor();
        expect(processesWith(sleep)).not.toEqual([]);
        await page.goto(conversation);
        if (isReloaded) await page.reload();
        await page.getByRole("button", { name: "Stop" }).click();
        await expect.poll(() => processesWith(sleep)).toEqual([]);
        await page.getByRole("button", { name: "Send", exact: true }).waitFor();
        await page.getByLabel("Stopped").or(page.getByLabel("Failed")).first().waitFor();
      }
    });

    test("WEB-25: what was written and not sent outlives a reload", async () => {
      const { address } = await scriptedPage([{ text: "Hello." }]);
      const page = await openPage(address);
      await page.getByRole("combobox", { name: "Message" }).fill("not sent yet");
      await page.reload();
      expect(await page.getByRole("combobox", { name: "Message" }).inputValue()).toBe("not sent yet");
    });

    test("WEB-41: a message that is sent during a turn waits, is shown in each tab, and is taken back into the composer", async () => {
      const { address } = await scriptedPage([
        runStep(HELD),
        { text: "All of it." },
        { text: "And that too." },
      ]);
      const page = await openPage(address);
      await sayOn(page, "Count");
      await page.getByRole("log", { name: "Output" }).getByText("8", { exact: true }).waitFor();
      const message = page.getByRole("combobox", { name: "Message" });
      const queued = page.getByRole("region", { name: "Queued messages" });
      for (const text of ["Then the second", "And the third"]) {
        await message.fill(text);
        await page.getByRole("button", { name: "Send after this turn" }).click();
        await queued.getByText(text).waitFor();
      }
      await screenshot(page, "34-queued");
      const beside = await openPage(address, { beside: page, view: new URL(page.url()).hash.slice(2) });
      const there = beside.getByRole("region", { name: "Queued messages" });
      await there.getByText("And the third").waitFor();
      await page.reload();
      await queued.getByRole("listitem").nth(1).waitFor();
      await queued.getByRole("listitem").filter({ hasText: "second" }).getByRole("button").click();
      await expect.poll(() => message.inputValue()).toBe("Then the second");
      await expect.poll(() => queued.getByRole("listitem").allTextContents()).toHaveLength(1);
      await expect.poll(() => there.getByRole("listitem").allTextContents()).toHaveLength(1);
      await letGo(page, address);
      await page.getByText("And that too.").waitFor();
      await queued.waitFor({ state: "detached" });
      const said = page.getByRole("article", { name: "Your message" });
      expect(await said.allTextContents()).toEqual(["Count", "And the third"]);
      expect(await message.inputValue()).toBe("Then the second");
    });
  });
