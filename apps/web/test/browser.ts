import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";

const SCREENSHOTS = fileURLToPath(new URL("../../../.cache/screenshots/", import.meta.url));
let browser: Promise<Browser> | undefined;

afterAll(async () => await (await browser)?.close());

export interface Opened {
  /** Whose token the page gets; `undefined` for none. */
  readonly user?: string | undefined;
  /** What follows `#/` in the address. */
  readonly view?: string;
  readonly context?: BrowserContextOptions;
  /** Opens a tab beside this page, which shares what is stored. */
  readonly beside?: Page;
}

/** The page in Debian's Chromium, signed in. An error on it that nobody caught fails the test. */
export async function openPage(address: string, opened: Opened = {}): Promise<Page> {
  const { user = "ada", view = "", context: options, beside } = opened;
  browser ??= chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGUMENTS });
  const context =
    beside?.context() ??
    (await (
      await browser
    ).newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", ...options }));
  const page = await context.newPage();
  // Only a failure takes all of it.
  page.setDefaultTimeout(180_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // What foreign content asks for is to be blocked.
    if (/phone\.example/.test(message.text())) return;
    if (/Content Security Policy|Maximum update depth|unique "key"/i.test(message.text()))
      errors.push(message.text());
  });
  onTestFinished(async () => {
    await page.close();
    if (!beside) await context.close();
    expect(errors).toEqual([]);
  });
  await page.goto(`${address}#${user === "" ? "" : `token=${user}`}`);
  if (view !== "") await page.goto(`${address}#/${view}`);
  return page;
}

/** Saves a picture of the page below `.cache/screenshots`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
}

/** Writes a message and sends it. */
export async function sayOn(page: Page, text: string): Promise<void> {
  await page.getByRole("combobox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

const ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
