import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../../test/needs/has-all.js";
import { openPage, sayOn, screenshot } from "../browser.js";
import { ROOT, scriptedPage } from "../page-server.js";

/** A step that runs the command and saves what it writes below `out`. */
function savingStep(command: string) {
  const outputs = {
    globs: ["out/**"],
    save: true,
    max_file_bytes: 100_000_000,
    max_total_bytes: 100_000_000,
  };
  return { calls: [{ tool: "workspace_run", input: { command: `mkdir -p out; ${command}`, outputs } }] };
}

/** The page after a turn that made the files, with the preview of the first one open. */
async function previewed(command: string, name: string, upload?: string): Promise<Page> {
  const { address } = await scriptedPage([savingStep(command), { text: "Made." }]);
  const page = await openPage(address);
  if (upload) await page.getByLabel("Files to add").setInputFiles(upload);
  await sayOn(page, "Make it");
  await page.getByRole("button", { name: `Open out/${name} version 0` }).click();
  await page.getByRole("dialog", { name: `Preview of out/${name}` }).waitFor();
  return page;
}

if (hasAll("Chromium", "bubblewrap", "packages/web/dist/page"))
  describe("the preview", () => {
    test("WEB-26: shows a table of a million rows, to its last one", async () => {
      const rows = `awk 'BEGIN{print "id,note"; for(i=1;i<=1000000;i++) print i ",\\"a,b\\""}' > out/big.csv`;
      const page = await previewed(rows, "big.csv");
      await page.getByText("1,000,000 rows, 2 columns").waitFor();
      await page.getByRole("columnheader", { name: "note" }).waitFor();
      await screenshot(page, "19-table");
      await page.getByRole("region", { name: "Rows" }).press("End");
      await page.getByRole("cell", { name: "1000000", exact: true }).waitFor();
      expect(await page.getByRole("row").count()).toBeLessThan(100);
    });

    test("WEB-27: shows Markdown, JSON, text, pictures and PDF", async () => {
      const files = [
        "printf '# Title\\n\\n- one\\n' > out/a.md",
        `printf '{"a":{"b":1}}' > out/b.json`,
        "printf 'def f():\\n  return 1\\n' > out/c.py",
        "echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d > out/d.png",
        "cp inputs/sample.pdf out/e.pdf || cp work/inputs/sample.pdf out/e.pdf",
      ].join("; ");
      const page = await previewed(files, "a.md", `${ROOT}skills/pdf-to-markdown/assets/sample.pdf`);
      const next = async (name: string) => {
        await page.getByRole("button", { name: "Close the preview" }).click();
        await page.getByRole("button", { name: `Open out/${name} version 0` }).click();
      };
      await page.getByRole("heading", { name: "Title" }).waitFor();
      await next("b.json");
      await page.getByText('"b": 1').waitFor();
      await next("c.py");
      await page.getByText("return 1", { exact: true }).waitFor();
      await next("d.png");
      await expect
        .poll(() =>
          page
            .getByAltText("out/d.png")
            .evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth),
        )
        .toBe(1);
      await next("e.pdf");
      await page.getByText(/Page 1 of \d+/).waitFor();
      const isDrawn = () =>
        page.getByRole("img", { name: "Page 1" }).evaluate((one) => {
          const canvas = one as unknown as {
            width: number;
            height: number;
            getContext(kind: "2d"): { getImageData(...at: number[]): { data: number[] } };
          };
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return data.some((value, at) => at % 4 < 3 && data[at + 3 - (at % 4)] !== 0 && value < 128);
        });
      await expect.poll(isDrawn).toBe(true);
      await screenshot(page, "20-pdf");
    });

    test("WEB-28: SVG and HTML run no script, load nothing and cannot reach the page", async () => {
      const files = [
        `printf '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80" onload="top.hacked=1"><script>top.hacked=1;fetch("/v1/server")</script><image href="https://phone.example/a.png"/><text x="10" y="40">picture</text></svg>' > out/a.svg`,
        `printf '<!doctype html><style>body{background:#eef}</style><h1>Foreign page</h1><img src="https://phone.example/b.png" onerror="top.hacked=1"><link rel="stylesheet" href="https://phone.example/c.css"><iframe src="https://phone.example/d"></iframe><script>top.hacked=1;fetch("https://phone.example/e")</script><form action="https://phone.example/f"><button>Send</button></form><meta http-equiv="refresh" content="0;url=https://phone.example/g"><a href="https://phone.example/h" target="_top">leave</a>' > out/b.html`,
      ].join("; ");
      const page = await previewed(files, "a.svg");
      const asked: string[] = [];
      await page.context().route(/phone\.example/, async (route) => {
        asked.push(route.request().url());
        await route.abort();
      });
      const frame = page.frameLocator('iframe[title="Picture out/a.svg"]').frameLocator("iframe");
      await frame.getByAltText("Picture").waitFor();
      await screenshot(page, "21-svg");
      await page.getByRole("button", { name: "Close the preview" }).click();
      await page.getByRole("button", { name: "Open out/b.html version 0" }).click();
      const html = page.frameLocator('iframe[title="Page out/b.html"]').frameLocator("iframe");
      await html.getByRole("heading", { name: "Foreign page" }).waitFor();
      await screenshot(page, "22-html");
      await html.getByRole("button", { name: "Send" }).click();
      await html.getByRole("link", { name: "leave" }).click();
      await page.getByRole("button", { name: "Close the preview" }).click();
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(asked).toEqual([]);
      expect(page.url()).toContain("localhost");
    });

    test("WEB-29: two versions are compared", async () => {
      const { address } = await scriptedPage([
        savingStep("printf 'one\\ntwo\\n' > out/a.txt"),
        { text: "Made." },
        savingStep("printf 'one\\nthree\\n' > out/a.txt"),
        { text: "Made again." },
      ]);
      const page = await openPage(address);
      await sayOn(page, "Make it");
      await page.getByText("Made.").waitFor();
      await sayOn(page, "Make it again");
      await page.getByText("Made again.").waitFor();
      await page.getByRole("button", { name: "Open out/a.txt version 1" }).click();
      await page.getByLabel("Compare with").selectOption("0");
      await page.getByText("-two").waitFor();
      await page.getByText("+three").waitFor();
      await screenshot(page, "23-compared");
    });

    test("WEB-45: cells of a table that begin like a formula are text, and are told", async () => {
      const rows = `printf 'name,value\\n=1+1,-5\\n"=HYPERLINK(""http://phone.example"")",+x\\n@SUM(A1),-\\n' > out/f.csv`;
      const page = await previewed(rows, "f.csv");
      await page.getByRole("cell", { name: "=1+1" }).waitFor();
      await page.getByText("4 cells begin like a formula").waitFor();
      await screenshot(page, "39-formulas");
      expect(await page.getByRole("dialog").getByRole("link").count()).toBe(0);
    });

    test("WEB-46: of a file with one line of 100 MB only the part that is shown is read", async () => {
      const page = await previewed(
        "head -c 99999994 /dev/zero | tr '\\0' x > out/line.log; printf ' end.\\n' >> out/line.log",
        "line.log",
      );
      await page.getByText(/^x{4000} … 7,996,000 more bytes$/).waitFor();
      await screenshot(page, "40-long-line");
      const read = await page.evaluate(
        `performance.getEntriesByType("resource").filter(({ name }) => name.includes("artifacts/content"))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
      );
      expect(read).toBe(8_000_000);
      await page.getByLabel("Part of the file").selectOption("last");
      await page.getByText(/^x{4000} … 7,995,999 more bytes$/).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth <= 1280")).toBe(true);
    });

    test("WEB-47: programs are shown in the colours of their language, and markup in them is text", async () => {
      const program = `printf 'def f(x):\\n    # <img src=x onerror=alert(1)>\\n    return "text"\\n' > out/c.py`;
      const page = await previewed(program, "c.py");
      const dialog = page.getByRole("dialog");
      await dialog.locator(".hljs-keyword", { hasText: "return" }).waitFor();
      expect(await dialog.locator(".hljs-comment").textContent()).toBe("# <img src=x onerror=alert(1)>");
      expect(await dialog.locator(".hljs-string").textContent()).toBe('"text"');
      expect(await dialog.locator("img").count()).toBe(0);
      await screenshot(page, "41-code");
    });
  });
