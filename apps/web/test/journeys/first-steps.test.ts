import { localRuntime } from "@skillwright/runtime-local";
import { describe, expect, onTestFinished, test } from "vitest";
import { testServer } from "../../../../packages/server/test/test-server.js";
import { oneTimeSignIn } from "../../../../packages/web/src/one-time-sign-in.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { pageServer, ROOT, runStep, scriptedPage } from "../page-server.js";
import { servedPage } from "../served-page.js";

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  describe("the page", () => {
    test("WEB-01: asks for the token, tells when it is wrong, and opens with the right one", async () => {
      const { address } = await pageServer();
      const page = await openPage(address, { user: "" });
      await page.getByLabel("Token").fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
      await screenshot(page, "01-sign-in");
      await page.getByLabel("Token").fill("ada");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Signed in as ada").waitFor();
      await screenshot(page, "02-empty");
    });

    test("WEB-02: signs in with the token of the address, and leaves it out of the address", async () => {
      const { address } = await pageServer();
      const page = await openPage(address);
      await page.getByText("Signed in as ada").waitFor();
      expect(page.url()).not.toContain("ada");
    });

    test("WEB-52: the address that a program opens signs in once and does not contain the token", async () => {
      const server = testServer();
      const { path, answer } = oneTimeSignIn("ada");
      const fetch = async (request: Request) => answer(request) ?? (await server.fetch(request));
      const { address } = await servedPage({ fetch });
      expect(path).not.toContain("ada");
      const page = await openPage(`${address}${path}`, { user: "" });
      await page.getByText("Signed in as ada").waitFor();
      expect(page.url()).toBe(`${address}#/`);
      const again = await openPage(`${address}${path}`, { user: "" });
      await again.getByText("This address has been opened already").waitFor();
    });

    test("WEB-03: runs a skill on an uploaded file, shows each step, and downloads what it made", async () => {
      const { address } = await pageServer();
      const page = await openPage(address);
      await page.getByLabel("Files to add").setInputFiles(`${ROOT}data/orders.csv`);
      await page.getByText("27.4 kB").waitFor();
      await sayOn(page, "Analyse orders.csv and write me a report");
      const step = page.getByRole("region", { name: "Step: Run with csv-analyst" });
      await step.getByText("exit 0", { exact: true }).waitFor();
      await step.getByText("400 rows, 8 columns").waitFor();
      for (const fact of ["csv-analyst", "bundled", "trusted", "namespace (bubblewrap"])
        await step
          .getByText(fact, { exact: fact === "trusted" })
          .first()
          .waitFor();
      await page.getByRole("button", { name: "Download all" }).waitFor();
      await screenshot(page, "03-skill-run");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download out/report.md" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("report.md");
      const [all] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download all" }).click(),
      ]);
      expect(all.suggestedFilename()).toMatch(/\.zip$/);
    });

    test("WEB-04: shows output with its colours while the command runs, and a failed command as failed", async () => {
      const steps = [
        runStep("printf '\\033[31mred\\033[0m and \\033[1;32mgreen\\033[0m\\n'; echo wrong >&2; exit 3"),
        { text: "It failed." },
      ];
      const { address } = await scriptedPage(steps);
      const page = await openPage(address);
      await sayOn(page, "Fail");
      const step = page.getByRole("region", { name: "Step: Run in the workspace" });
      await step.getByText("exit 3", { exact: true }).waitFor();
      expect(await step.locator(".ansi-red-fg").textContent()).toBe("red");
      await step.getByText("wrong", { exact: true }).waitFor();
      await screenshot(page, "04-failed-command");
    });

    test("WEB-55: a command shows the limits that held, and the memory that it used", async () => {
      const steps = [runStep("echo measured"), { text: "Done." }];
      const runtime = localRuntime({ isolation: "sandbox" });
      onTestFinished(() => runtime.close());
      const { address } = await scriptedPage(steps, { runtime });
      const page = await openPage(address);
      await sayOn(page, "Measure");
      const step = page.getByRole("region", { name: "Step: Run in the workspace" });
      await step.getByText(/^Limits: .*100,000 files/).waitFor();
      const { limits } = await runtime.capabilities();
      expect(await step.getByTitle("The most memory that its processes used at one time").count()).toBe(
        limits.includes("memoryBytes") ? 1 : 0,
      );
      await screenshot(page, "47-limits");
    });
  });
