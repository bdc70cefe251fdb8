import { memoryRepository } from "@skillwright/repository-memory";
import { localRuntime } from "@skillwright/runtime-local";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { SHOUT } from "../../../../packages/agent/test/test-agent.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { pageServer, ROOT, runStep, scriptedPage } from "../page-server.js";

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  describe("the views", () => {
    test("WEB-13: skills are searched; broken and shadowed ones are shown with the reason", async () => {
      const broken = { "SKILL.md": "no header" };
      const skills = skillBox({
        own: memoryRepository({ skills: { shout: SHOUT, broken } }),
        project: { repository: memoryRepository({ skills: { shout: SHOUT } }), trusted: false },
      });
      const { address } = await pageServer({ skills });
      const page = await openPage(address, { view: "skills" });
      await page.getByRole("region", { name: "Broken" }).getByText("own: broken").waitFor();
      await page.getByRole("region", { name: "Shadowed" }).getByText("skill.shadowed").waitFor();
      await screenshot(page, "09-skills");
      await page.getByLabel("Search skills").fill("nothing like it");
      await page.getByText("No usable skill has these words.").waitFor();
    });

    test("WEB-58: while skills are loaded, a skeleton stands in their place", async () => {
      const { address } = await pageServer();
      const page = await openPage(address);
      await page.getByText("Signed in as ada").waitFor();
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route("**/v1/skills", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${address}#/skills`);
      await page.reload();
      const skeleton = page.getByRole("main").getByRole("status");
      await skeleton.getByText("Loading…").waitFor();
      await expect
        .poll(() => page.evaluate(`getComputedStyle(document.querySelector("main [role=status]")).opacity`))
        .toBe("1");
      await screenshot(page, "46-skeleton");
      answer();
      await page.getByRole("link", { name: "csv-analyst" }).waitFor();
      expect(await skeleton.count()).toBe(0);
    });

    test("WEB-14: a skill is shown with instructions, files and findings, and used in the conversation", async () => {
      const { address } = await pageServer();
      const page = await openPage(address, { view: "skills/csv-analyst" });
      await page.getByRole("heading", { name: "CSV analyst" }).waitFor();
      await screenshot(page, "10-skill");
      await page.getByRole("button", { name: "scripts/analyse.mjs" }).click();
      await page.getByRole("region", { name: "scripts/analyse.mjs" }).getByText("import").first().waitFor();
      await page.getByRole("button", { name: "Use in the conversation" }).click();
      expect(await page.getByRole("combobox", { name: "Message" }).inputValue()).toBe("$csv-analyst ");
    });

    test("WEB-15: a skill is picked by keys after / and $", async () => {
      const { address } = await pageServer();
      const page = await openPage(address);
      const message = page.getByRole("combobox", { name: "Message" });
      await message.pressSequentially("/cs");
      await page.getByRole("option", { name: "csv-analyst" }).waitFor();
      await screenshot(page, "11-skill-picker");
      await page.keyboard.press("Enter");
      expect(await message.inputValue()).toBe("/csv-analyst ");
      await message.pressSequentially("and $p");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Tab");
      expect(await message.inputValue()).toMatch(/^\/csv-analyst and \$p[a-z-]+ $/);
      await message.pressSequentially("$");
      await page.keyboard.press("Escape");
      expect(await page.getByRole("option").count()).toBe(0);
    });

    test("WEB-16: a workspace is shown with files and staged skills, and destroyed", async () => {
      const { address } = await pageServer();
      const page = await openPage(address);
      await page.getByLabel("Files to add").setInputFiles(`${ROOT}data/orders.csv`);
      await sayOn(page, "Analyse orders.csv");
      await page.getByText("exit 0", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Workspaces" }).click();
      await page
        .getByRole("list", { name: "Workspaces" })
        .getByRole("link", { name: "Analyse orders.csv" })
        .click();
      await page.getByText("orders.csv", { exact: true }).waitFor();
      await page.getByText("Uploads and outputs").waitFor();
      await screenshot(page, "12-workspace");
      await page.getByRole("button", { name: "Staged skills" }).click();
      await page.getByText("SKILL.md").first().waitFor();
      await page.getByRole("button", { name: "Destroy the workspace" }).click();
      await page.getByRole("button", { name: "Destroy", exact: true }).click();
      await page.getByText("No conversation has needed a workspace yet.").waitFor();
    });

    test("WEB-48: a workspace is paused until its next use, and one that cannot be paused says so", async () => {
      const local = localRuntime({ isolation: "auto" });
      onTestFinished(() => local.close());
      const pausable = <Workspace extends object>(workspace: Workspace) => ({
        ...workspace,
        pause: async () => undefined,
        resume: async () => undefined,
      });
      const runtime: typeof local = {
        ...local,
        create: async (...call) => pausable(await local.create(...call)),
        attach: async (...call) => {
          const there = await local.attach(...call);
          return there && pausable(there);
        },
      };
      for (const options of [{}, { runtime }]) {
        const steps = [runStep("echo ran"), { text: "It ran." }, runStep("echo again"), { text: "Again." }];
        const { address } = await scriptedPage(steps, options);
        const page = await openPage(address);
        await sayOn(page, "Run it");
        await page.getByText("It ran.").waitFor();
        const conversation = page.url();
        await page.getByRole("link", { name: "Workspaces" }).click();
        await page.getByRole("button", { name: "Pause until its next use" }).click();
        if (!("runtime" in options)) {
          await page.getByText(/cannot be paused: it is in use, or the runtime cannot pause/).waitFor();
          continue;
        }
        await page.getByText("paused", { exact: true }).waitFor();
        await screenshot(page, "42-paused");
        await page.goto(conversation);
        await sayOn(page, "Run it again");
        await page.getByText("Again.").waitFor();
        await page.getByRole("link", { name: "Workspaces" }).click();
        await page.getByText("ready", { exact: true }).waitFor();
      }
    });

    test("WEB-17: the operator sees what runs and the use of skills, and stops a turn", async () => {
      const { address } = await scriptedPage([runStep("sleep 600"), { text: "Stopped." }]);
      const page = await openPage(address);
      await sayOn(page, "Sleep");
      await page.getByRole("button", { name: "Stop" }).waitFor();
      await page.getByRole("link", { name: "Operator" }).click();
      await page.getByRole("button", { name: "Stop Sleep" }).waitFor();
      await page.getByRole("cell", { name: "shout" }).waitFor();
      await screenshot(page, "13-operator");
      await page.getByRole("button", { name: "Stop Sleep" }).click();
      await page.getByText("Nothing runs.").waitFor();
    });

    test("WEB-54: the operator sees how commands are isolated, and what does not hold on this server", async () => {
      const runtime = localRuntime({ isolation: "none" });
      onTestFinished(() => runtime.close());
      const { address } = await scriptedPage([{ text: "Hello." }], { runtime });
      const page = await openPage(address, { view: "operator" });
      const state = page.getByRole("region", { name: "This server" });
      await state.getByText("Commands run with isolation: none").waitFor();
      const [diagnostic] = (await runtime.capabilities()).diagnostics ?? [];
      await state.getByText(diagnostic?.message ?? "none was told").waitFor();
      await screenshot(page, "44-this-server");
    });

    test("WEB-18: conversations are searched, renamed and deleted", async () => {
      const { address } = await scriptedPage([{ text: "Hello." }]);
      const page = await openPage(address);
      for (const text of ["First of all", "Second to none"]) {
        await sayOn(page, text);
        await page.getByText("Hello.").waitFor();
        await page.getByRole("link", { name: "New conversation" }).click();
        // Until then, what is written belongs to the former conversation.
        await page.getByText("Hello.").waitFor({ state: "detached" });
      }
      const list = page.getByRole("list", { name: "Conversations" });
      await page.getByLabel("Search conversations").fill("second");
      await expect.poll(() => list.getByRole("link").count()).toBe(1);
      await page.getByLabel("Search conversations").fill("");
      await list.getByRole("link", { name: "First of all" }).hover();
      await page.getByRole("button", { name: "Rename First of all" }).click();
      await page.getByLabel("New title of First of all").fill("Renamed");
      await page.keyboard.press("Enter");
      await list.getByRole("link", { name: "Renamed" }).hover();
      await screenshot(page, "14-conversations");
      await page.getByRole("button", { name: "Delete Renamed" }).click();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await expect.poll(() => list.getByRole("link").count()).toBe(1);
    });

    test("WEB-19: a message is edited and sent again, which removes what followed", async () => {
      const { address } = await scriptedPage([{ text: "Answer one." }, { text: "Answer two." }]);
      const page = await openPage(address);
      await sayOn(page, "First question");
      await page.getByText("Answer one.").waitFor();
      await page.getByRole("button", { name: "Edit and send again" }).click();
      await page.getByLabel("The message").fill("Better question");
      await screenshot(page, "15-edit");
      await page.getByRole("button", { name: "Send again" }).click();
      await page.getByText("Answer two.").waitFor();
      expect(await page.getByText("Answer one.").count()).toBe(0);
      await page.reload();
      await page.getByText("Answer two.").waitFor();
      expect(await page.getByText("Answer one.").count()).toBe(0);
      await page.getByRole("article", { name: "Your message" }).getByText("Better question").waitFor();
    });

    test("WEB-56: a turn that failed is tried again with the same message and its files", async () => {
      const { address } = await scriptedPage([{ error: new Error("overloaded") }, { text: "Answer two." }]);
      const page = await openPage(address);
      await page.getByLabel("Files to add").setInputFiles(`${ROOT}data/orders.csv`);
      await sayOn(page, "First question");
      await page.getByText("gave no answer: overloaded").waitFor();
      await screenshot(page, "45-try-again");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("Answer two.").waitFor();
      expect(await page.getByText("gave no answer: overloaded").count()).toBe(0);
      await page.reload();
      await page.getByText("Answer two.").waitFor();
      const asked = page.getByRole("article", { name: "Your message" });
      expect(await asked.count()).toBe(1);
      await asked.getByText("First question").waitFor();
      await asked.getByText("orders.csv").waitFor();
      expect(await page.getByText("gave no answer: overloaded").count()).toBe(0);
    });
  });
