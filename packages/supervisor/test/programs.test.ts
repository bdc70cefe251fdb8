import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { ownProgram } from "./supervised.js";

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "supervisor-")));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The output of a shell under the filter for programs without a network. */
function printed(text: string): string {
  const options = ["filter", "--filter", "offline", "--", "/bin/bash", "-ec", text];
  const env = { ...process.env, HOME: directory, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync(ownProgram, options, {
    cwd: directory,
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

if (hasAll("supervisor", "python3"))
  test("Python runs under the filter, with threads, processes and an event loop", () => {
    const script = `
import asyncio, concurrent.futures, multiprocessing, sqlite3, tempfile
async def line():
    process = await asyncio.create_subprocess_exec("echo", "child", stdout=asyncio.subprocess.PIPE)
    return (await process.communicate())[0].decode().strip()
def double(number): return number * 2
if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor() as threads: print(sum(threads.map(double, range(9))))
    with multiprocessing.Pool(2) as processes: print(sum(processes.map(double, range(9))))
    print(asyncio.run(line()), sqlite3.connect(":memory:").execute("select 1").fetchone())
`;
    writeFileSync(join(directory, "script.py"), script);
    expect(printed("python3 script.py")).toBe("72\n72\nchild (1,)\n");
  });

if (hasAll("supervisor"))
  test("Node runs under the filter, with workers, children and a server", () => {
    const script = `
const { Worker } = require("node:worker_threads");
const { execFileSync } = require("node:child_process");
const server = require("node:net").createServer((socket) => socket.end("served"));
server.listen("socket", () => require("node:net").connect("socket").on("data", (data) => {
  server.close();
  const child = execFileSync(process.execPath, ["-p", "6 * 7"], { encoding: "utf8" }).trim();
  new Worker("require('node:worker_threads').parentPort.postMessage('worker')", { eval: true }).on("message", (text) =>
    console.log(String(data), child, text));
}));
`;
    writeFileSync(join(directory, "script.cjs"), script);
    expect(printed(`'${process.execPath}' script.cjs`)).toBe("served 42 worker\n");
  });

if (hasAll("supervisor"))
  test("git runs under the filter: commits, clones, packs and shows its history", () => {
    const identity = "-c user.name=Someone -c user.email=someone@example.org";
    const text = `git init -q one; cd one; echo text > file; git add .; git ${identity} commit -qm First
git gc -q; git clone -q . ../two; cd ../two; git fsck --no-progress; git log --format=%s`;
    expect(printed(text)).toBe("First\n");
  });

if (hasAll("supervisor", "LibreOffice"))
  test("LibreOffice converts a document under the filter", () => {
    writeFileSync(join(directory, "letter.html"), "<p>Dear reader</p>");
    printed(
      "soffice --headless --convert-to 'txt:Text (encoded):UTF8' --infilter='HTML (StarWriter)' letter.html",
    );
    expect(printed("cat letter.txt")).toContain("Dear reader");
  });

if (hasAll("supervisor", "Chromium"))
  test("Chromium reads a page under the filter", () => {
    writeFileSync(join(directory, "page.html"), "<p id=p></p><script>p.textContent = 6 * 7</script>");
    const options = "--headless --no-sandbox --disable-gpu --virtual-time-budget=1000 --dump-dom";
    expect(printed(`chromium ${options} 'file://${directory}/page.html'`)).toContain('<p id="p">42</p>');
  });
