import { chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** An empty page in Debian's Chromium, closed after the test. */
export async function chromiumPage(): Promise<Page> {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGUMENTS });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  // Only a failure takes all of it.
  page.setDefaultTimeout(120_000);
  return page;
}

const ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
