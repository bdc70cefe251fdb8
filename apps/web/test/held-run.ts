import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Prints 8 lines, and 6 more once the file `go` is uploaded. */
export const HELD = 'seq 1 8; until [ -e "$WORK_DIR/inputs/go" ]; do sleep 0.1; done; seq 9 14';
const LINES = Array.from({ length: 14 }, (_, at) => String(at + 1));

/** Uploads it from beside the page. */
export async function letGo(page: Page, address: string): Promise<void> {
  const id = new URL(page.url()).hash.split("/").at(-1);
  await fetch(`${address}v1/conversations/${id}/uploads/go`, {
    method: "PUT",
    headers: { authorization: "Bearer ada", "content-type": "application/octet-stream" },
    body: "now",
  });
}

/** The step is there once, with each line once, and so is the answer. */
export async function isWhole(page: Page): Promise<void> {
  await page.getByText("All of it.").waitFor();
  const output = page.getByRole("log", { name: "Output" });
  await output.getByText("14", { exact: true }).waitFor();
  expect(await output.locator("bdi").allTextContents()).toEqual(LINES);
  expect(await page.getByRole("region", { name: "Step: Run in the workspace" }).count()).toBe(1);
  expect(await page.getByText("All of it.").count()).toBe(1);
  expect(await page.getByRole("article", { name: "Your message" }).count()).toBe(1);
}
