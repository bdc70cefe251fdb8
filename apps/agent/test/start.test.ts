import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { testTmux } from "./test-tmux.js";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

if (hasAll("tmux", "apps/agent/dist"))
  test("Ctrl-C ends the program while it starts, as when an engine does not answer", async () => {
    const engine = createServer((socket) => socket.on("error", () => undefined));
    engine.listen(0, "127.0.0.1");
    await once(engine, "listening");
    onTestFinished(() => void engine.close());
    const { port } = engine.address() as { port: number };
    const { folder, tmux } = await testTmux({
      start: [
        `export HOME="$PWD" DOCKER_HOST=tcp://127.0.0.1:${port}`,
        `"${process.execPath}" "${program}" --chat --runtime docker`,
        'echo "ended with $?"',
        "exec cat",
      ].join("\n"),
    });
    const asked = once(engine, "connection");
    await tmux("new-session", "-d", "-x", "80", "-y", "24", "-c", folder, "sh", "start");
    await asked;
    await tmux("send-keys", "-t", ":", "C-c");
    // An engine that does not answer is given up after half a minute, and the program then ends with 1.
    const ended = async () => /ended with \d+/.exec(await tmux("capture-pane", "-p", "-t", ":"))?.[0];
    await expect.poll(ended).toBe("ended with 130");
  });
