import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../../../packages/runtime-local/src/storage/remove-tree.js";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { scriptedPage } from "../page-server.js";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Drops files and folders of this machine on the page, as the file manager does. */
async function drop(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x: 700, y: 400, data });
    if (type === "dragOver") {
      await page.getByText("Drop files or folders").waitFor();
      await screenshot(page, "36-dropping");
    }
  }
}

/** The paths of the conversation's uploads on the server. */
async function stored(page: Page, address: string): Promise<readonly string[]> {
  const id = new URL(page.url()).hash.split("/").at(-1);
  const answer = await fetch(`${address}v1/conversations/${id}/files?under=work/inputs`, {
    headers: { authorization: "Bearer ada" },
  });
  return ((await answer.json()) as { path: string }[]).map(({ path }) => path.split("/").at(-1) ?? "").sort();
}

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  describe("files for a message", () => {
    test("WEB-43: a folder is dropped with all that is in it, and a picture is pasted", async () => {
      const root = await mkdtemp(join(tmpdir(), "skillwright-test-"));
      onTestFinished(() => removeTree(root));
      await mkdir(join(root, "reports/2026"), { recursive: true });
      await writeFile(join(root, "reports/summary.txt"), "all");
      await writeFile(join(root, "reports/2026/march.csv"), "a,b\n");
      const { address } = await scriptedPage([{ text: "I have them." }]);
      const page = await openPage(address);
      await page.getByText("Signed in as ada").waitFor();
      await drop(page, [join(root, "reports")]);
      const list = page.getByRole("list", { name: "Files of this message" });
      await list.getByText("reports--summary.txt").waitFor();
      await list.getByText("reports--2026--march.csv").waitFor();
      await page.getByRole("combobox", { name: "Message" }).evaluate((target, pixel) => {
        const { DataTransfer, File, ClipboardEvent } = globalThis as unknown as Browser;
        const bytes = Uint8Array.from(atob(pixel), (one) => one.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
        (target as unknown as { dispatchEvent(event: unknown): void }).dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
      }, PIXEL);
      await list.getByText("image.png").waitFor();
      await expect.poll(() => list.getByRole("button", { name: /^Leave out/ }).count()).toBe(3);
      await screenshot(page, "37-files");
      await sayOn(page, "Read them");
      await page.getByText("I have them.").waitFor();
      expect(await stored(page, address)).toEqual([
        "image.png",
        "reports--2026--march.csv",
        "reports--summary.txt",
      ]);
    });

    test("WEB-44: an upload that is cancelled stores nothing, and the next one goes on", async () => {
      const { address } = await scriptedPage([{ text: "I have it." }]);
      const page = await openPage(address);
      await page.getByText("Signed in as ada").waitFor();
      const session = await page.context().newCDPSession(page);
      await session.send("Network.enable");
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 500_000 };
      await session.send("Network.emulateNetworkConditions", slow);
      const files = page.getByLabel("Files to add");
      const buffer = Buffer.alloc(20_000_000, "x");
      await files.setInputFiles([
        { name: "large.bin", mimeType: "", buffer },
        { name: "small.txt", mimeType: "text/plain", buffer: Buffer.from("hello") },
      ]);
      const progress = page.getByRole("progressbar", { name: "Progress of large.bin" });
      await expect.poll(() => progress.getAttribute("value").then(Number)).toBeGreaterThan(0);
      await screenshot(page, "38-uploading");
      await page.getByRole("button", { name: "Cancel large.bin" }).click();
      await page.getByRole("button", { name: "Leave out small.txt" }).waitFor();
      expect(await page.getByText("large.bin").count()).toBe(0);
      await sayOn(page, "Read it");
      await page.getByText("I have it.").waitFor();
      expect(await stored(page, address)).toEqual(["small.txt"]);
    });
  });

/** Classes of the browser, of which the compiler of this program does not know. */
// biome-ignore lint/suspicious/noExplicitAny: types of a browser
type Browser = Record<"DataTransfer" | "File" | "ClipboardEvent", any>;
