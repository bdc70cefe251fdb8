import { memoryRepository } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { SHOUT } from "../../../../packages/agent/test/test-agent.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { runStep, scriptedPage } from "../page-server.js";

const MARKUP = `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>`;
const TURNED = "evil\u202egpj.exe\u2066";

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  describe("hostile content", () => {
    test("WEB-34: markup of the model, of names and of files is text, and remote pictures are not fetched", async () => {
      const answer = `${MARKUP}\n\n[link](javascript:globalThis.hacked=1) ![picture](https://phone.example/p.png)\n\n<iframe src="https://phone.example"></iframe>`;
      const { address } = await scriptedPage([{ text: answer }]);
      const page = await openPage(address);
      const asked: string[] = [];
      await page.context().route(/phone\.example/, async (route) => {
        asked.push(route.request().url());
        await route.abort();
      });
      await sayOn(page, `${MARKUP} ${TURNED}`);
      await page.getByText("Picture: picture").waitFor();
      const link = page.getByRole("article", { name: "Answer" }).getByText("link", { exact: true });
      expect(await link.getAttribute("href")).not.toContain("javascript:");
      await page.reload();
      await page.getByText("Picture: picture").waitFor();
      await screenshot(page, "28-markup");
      expect([await page.evaluate("globalThis.hacked"), asked]).toEqual([undefined, []]);
    });

    test("WEB-35: output with terminal sequences, endless lines and turned text stays output", async () => {
      const command = [
        "printf '\\033]0;title\\007\\033[2J\\033[10;10Hmoved\\n'",
        "printf 'progress 1%%\\rprogress 100%%\\n'",
        "printf '\\342\\200\\256turned\\n'",
        `printf '%s\\n' '${MARKUP.replaceAll("'", "")}'`,
        "printf '\\033[31mred to the end\\n'",
        "printf 'still red\\033[0m plain\\n'",
        "head -c 3000000 /dev/zero | tr '\\0' x",
      ].join("; ");
      const { address } = await scriptedPage([runStep(command), { text: "Printed." }]);
      const page = await openPage(address);
      await sayOn(page, "Print");
      const output = page.getByRole("log", { name: "Output" });
      await page.getByText("Printed.").waitFor();
      await output.press("Home");
      const lines = output.locator("bdi");
      await expect
        .poll(() => lines.allTextContents())
        .toEqual(
          expect.arrayContaining([
            "moved",
            "progress 100%",
            "turned",
            MARKUP,
            "red to the end",
            "still red plain",
          ]),
        );
      const red = output.locator(".ansi-red-fg");
      expect(await red.allTextContents()).toEqual(["red to the end", "still red"]);
      const longest = Math.max(...(await lines.allTextContents()).map(({ length }) => length));
      expect(longest).toBeLessThan(5000);
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(await page.evaluate("document.documentElement.scrollWidth <= 1280")).toBe(true);
      await screenshot(page, "29-output");
    });

    test("WEB-36: a question and a skill hide nothing: invisible characters are spelled out", async () => {
      const skill = {
        ...SHOUT,
        "SKILL.md": SHOUT["SKILL.md"].replace(
          /description: .*/,
          `description: "${MARKUP.replaceAll('"', "'")} turned \u202e text"`,
        ),
      };
      const skills = skillBox({
        project: { repository: memoryRepository({ skills: { shout: skill } }), trusted: false },
      });
      const command = "echo good \u202e# dab\u200b; rm -rf nothing";
      const { address } = await scriptedPage(
        [{ calls: [{ tool: "skill_run", input: { skill: "shout", command } }] }, { text: "Done." }],
        { skills },
      );
      const page = await openPage(address);
      await sayOn(page, "Run it");
      const card = page.getByRole("region", { name: "Approval: shout" });
      await card.getByText("echo good \\u{202e}# dab\\u{200b}; rm -rf nothing").waitFor();
      await screenshot(page, "30-hidden");
      await page.getByRole("link", { name: "Skills", exact: true }).click();
      await page.getByText(/onerror=.*turned/).waitFor();
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
    });

    test("WEB-37: a file with a hostile name is uploaded, refused or cancelled as itself", async () => {
      const { address } = await scriptedPage([{ text: "Read." }], { maxUploadBytes: 1000 });
      const page = await openPage(address);
      const files = page.getByLabel("Files to add");
      await page.getByText("Signed in as ada").waitFor();
      await files.setInputFiles({ name: "large.bin", mimeType: "", buffer: Buffer.alloc(2000) });
      await page.getByText("It has 2.0 kB; the server takes at most 1.0 kB.").waitFor();
      const name = `<b>${"long".repeat(30)}</b>${TURNED}.txt`;
      await files.setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from("hello") });
      await page.getByText("5 B").waitFor();
      await screenshot(page, "31-uploads");
      await page.getByRole("button", { name: "Leave out large.bin" }).click();
      await sayOn(page, "Read it");
      await page.getByText("Read.").waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth <= 1280")).toBe(true);
    });
  });
