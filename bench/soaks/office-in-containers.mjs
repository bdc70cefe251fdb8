import { cpSync, lstatSync } from "node:fs";
import { startDockerEngine } from "../../scripts/engines/docker-engine.mjs";
import { startPodmanEngine } from "../../scripts/engines/podman-engine.mjs";
import { buildImage } from "../../scripts/engines/test-images/build-image.mjs";
import { fullTree } from "../../scripts/engines/test-images/full-tree.mjs";
import { built } from "../built.mjs";

/** The programs that the soak requires. */
export const needs = [
  "a Docker engine",
  "a Podman engine",
  "LibreOffice",
  "Chromium",
  "packages/runtime-docker/dist",
];
/** The supervisor's tests run both programs under the same filter; an image with them takes a minute to make. */
export const isTested = true;

const PACKAGES = ["libreoffice-writer-nogui", "chromium"];
const FILES = [
  { path: "work/letter.html", content: "<p>Dear reader</p>" },
  { path: "work/page.html", content: "<p id=p></p><script>p.textContent = 6 * 7</script>" },
];
const CHROMIUM = "chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=1000";

/** Runs LibreOffice and Chromium in a container with default options, on Docker and on Podman. */
export async function soak({ tell }) {
  for (const { name, start } of [
    { name: "docker", start: startDockerEngine },
    { name: "podman", start: startPodmanEngine },
  ]) {
    const engine = await start();
    try {
      await buildImage(engine.host, "skills-test:office", officeTree, { Cmd: ["/bin/sleep", "2147483647"] });
      await tryOn(engine.host, (line) => tell(`${name}: ${line}`));
    } finally {
      await engine.stop();
    }
  }
  return "documents converted and pages read under the filter";
}

function officeTree(root) {
  fullTree(root, PACKAGES);
  // Created when the package was configured.
  const made = (path) => !lstatSync(path).isSymbolicLink();
  cpSync("/etc/libreoffice", `${root}/etc/libreoffice`, { recursive: true, filter: made });
}

async function tryOn(host, tell) {
  const { run } = await built("core/adapter");
  const { dockerRuntime } = await built("runtime-docker");
  const options = { engine: { host }, image: "skills-test:office", pull: "never", namespace: "office" };
  const runtime = dockerRuntime(options);
  const workspace = await runtime.create("w");
  await workspace.put(FILES);

  async function printed(runId, text) {
    const limits = { timeoutMs: 240_000, maxOutputBytes: 64 * 1024 };
    const { exitCode, stdout, stderr } = await run(workspace, {
      runId,
      command: text,
      cwd: "work",
      env: {},
      ...limits,
    });
    if (exitCode !== 0) throw new Error(`${text} ended with ${exitCode}: ${stderr.text}`);
    return stdout.text.trim();
  }

  try {
    const filters = await printed("filters", "sed -n 's/^Seccomp_filters:[^0-9]*//p' /proc/self/status");
    await printed("office", "soffice --headless --convert-to pdf letter.html");
    const pdf = await printed("pdf", "head -c 5 letter.pdf");
    const page = await printed("page", `${CHROMIUM} --dump-dom "file://$PWD/page.html"`);
    await printed("print", `${CHROMIUM} --print-to-pdf=page.pdf "file://$PWD/page.html"`);
    const printedPage = await printed("printed", "head -c 5 page.pdf");
    if (pdf !== "%PDF-" || printedPage !== "%PDF-" || !page.includes('<p id="p">42</p>'))
      throw new Error(`Something else came out: ${JSON.stringify({ pdf, page, printedPage })}`);
    tell(`${filters} filters of system calls; LibreOffice made a PDF, Chromium a page and a PDF`);
  } finally {
    await runtime.destroy("w");
    await runtime.close();
  }
}
