import { describe, expect, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { scriptedModel } from "../../../agent/test/scripted-model.js";
import { markedSleep, processesWith } from "../../../runtime-local/test/running.js";
import { heldTool, withTool } from "../held-tool.js";
import { newConversation, testServer } from "../test-server.js";
import { chatPage } from "./chat-page.js";

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");

if (hasAll("Chromium"))
  describe.each([
    ["its stock transport", "" as const],
    ["the transport of this package", "?own" as const],
  ])("useChat in Chromium with %s", (_, search) => {
    test("SERVE-39: sends, shows the stream, and has all of it again after a reload in the middle", async () => {
      const gate = heldTool();
      const server = testServer(withTool(gate.tool, WORDS));
      const page = await chatPage(server, await newConversation(server), search);
      await page.fill("input", "Count");
      await page.click("#send");
      await gate.called;
      await page.reload();
      await page.locator("#status", { hasText: "streaming" }).waitFor();
      gate.open();
      await page.locator("#messages", { hasText: WORDS }).waitFor();
      await page.locator("#status", { hasText: "ready" }).waitFor();
      const shown = await page.textContent("#messages");
      expect(shown?.split(WORDS)).toHaveLength(2);
    });
  });

if (hasAll("Chromium", "bubblewrap"))
  test("SERVE-39: stopping on the page ends the command, at once and after a reload", async () => {
    for (const isReloaded of [false, true]) {
      const sleep = markedSleep();
      const steps = [
        { calls: [{ tool: "workspace_run", input: { command: `${sleep}; true` } }] },
        { text: "Done." },
      ];
      const server = testServer({
        agents: { assistant: { modelConfig: { provider: "test", model: "test" } } },
        dependencies: { models: () => scriptedModel(steps).model },
      });
      const page = await chatPage(server, await newConversation(server), "?own");
      await page.fill("input", "Sleep");
      await page.click("#send");
      await expect.poll(() => processesWith(sleep).length).toBeGreaterThan(0);
      if (isReloaded) await page.reload();
      await page.click(isReloaded ? "#stop-turn" : "#stop");
      await expect.poll(() => processesWith(sleep)).toEqual([]);
    }
  });
