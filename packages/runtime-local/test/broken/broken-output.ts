import { SkillError } from "@skillwright/core";
import { type Breaking, commands, handles, results } from "./breaking.js";

export const brokenOutput: Readonly<Record<string, Breaking>> = {
  "input/empty": commands((command) => ({ ...command, interactive: true })),
  "input/stream": handles((handle) => ({ write: (bytes) => handle.write(bytes.subarray(1)) })),
  "input/unread": handles((handle) => ({
    write: async (bytes) => {
      await handle.write(bytes).catch(() => undefined);
      await new Promise(() => undefined);
    },
  })),
  "input/interactive": handles((handle) => ({
    write: (bytes) => handle.write(bytes).catch(() => undefined),
  })),
  // Sockets instead of pipes.
  "output/devices": commands((command) => ({
    ...command,
    command: command.command.replaceAll("/dev/std", "/dev/tcp/std"),
  })),
  "output/live": handles((handle) => ({
    output: async function* (options) {
      await handle.result;
      yield* handle.output(options);
    },
  })),
  "output/capped": results((result) => ({
    ...result,
    stdout: { ...result.stdout, text: result.stdout.text.slice(0, 5000) },
  })),
  "output/text": results((result) => {
    const text = Buffer.from(result.stdout.text, "utf8").toString("latin1");
    return { ...result, stdout: { ...result.stdout, text } };
  }),
};

/** A process that outlives its run. */
const survivor: Breaking = handles(({ result, runId }, workspace) => ({
  result: result.then(async (ended) => {
    const command = 'while :; do echo x >> "$HOME/beat"; sleep 0.02; done';
    const stray = {
      runId: `${runId}-stray`,
      command,
      cwd: ".",
      env: {},
      timeoutMs: 3000,
      maxOutputBytes: 10,
    };
    await workspace.start(stray).catch((error: unknown) => {
      if (!SkillError.is(error, "CLOSED")) throw error;
    });
    return ended;
  }),
}));

export const brokenEnds: Readonly<Record<string, Breaking>> = {
  "end/timeout-ends-tree": survivor,
  "end/success-ends-tree": survivor,
  "end/abort-ends-tree": survivor,
  "limits/enforced": commands(({ limits: _, ...command }) => command),
  "limits/told": results(({ limits: _, ...result }) => result),
  "limits/unsupported": commands(({ limits: _, ...command }) => command),
  "limits/refused": commands(({ limits: _, ...command }) => command),
  "network/off": commands((command) => ({ ...command, network: true })),
  "network/not-off": commands(({ network: _, ...command }) => ({ ...command, network: true })),
};
