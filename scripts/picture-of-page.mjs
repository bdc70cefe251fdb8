// Starts the web page, has a skill analyse data/orders.csv and takes docs/page.png. Needs a build, Chromium and bubblewrap.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { chromium } = createRequire(`${root}apps/web/package.json`)("playwright-core");
const home = mkdtempSync(join(tmpdir(), "skillwright-picture-"));
const server = spawn(process.execPath, [`${root}apps/agent/dist/main.js`, "--web", "--port", "0"], {
  cwd: home,
  env: { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" },
});
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(await printedAddress());
  await page.getByLabel("Files to add").setInputFiles(`${root}data/orders.csv`);
  await page.getByText("27.4 kB").waitFor();
  await page.getByRole("combobox", { name: "Message" }).fill("Analyse orders.csv and write me a report");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("3 model calls").waitFor();
  await page.getByRole("log", { name: "Messages" }).evaluate((box) => box.scrollTo(0, 0));
  await page.getByText("exit 0").waitFor();
  await page.screenshot({ path: `${root}docs/page.png` });
} finally {
  await browser.close();
  server.kill();
  rmSync(home, { recursive: true, force: true });
}

/** @returns {Promise<string>} */
function printedAddress() {
  return new Promise((resolve, reject) => {
    let shown = "";
    server.stdout.on("data", (piece) => {
      shown += piece;
      const [, address] = /page +(\S+)\n/.exec(shown) ?? [];
      if (address) resolve(address);
    });
    server.once("close", () => reject(new Error(`The server ended: ${shown}`)));
  });
}
