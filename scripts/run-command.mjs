import { spawn } from "node:child_process";

/**
 * Runs a command to its end and resolves to its output. Rejects with the command, its exit code and the end of
 * its output if that is not 0. `show` also prints the output, or receives it. Standard input is empty.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean | ((text: string) => void) }} [options]
 * @returns {Promise<{ stdout: string, output: string }>} `output` is stdout and stderr as they came
 */
export function runCommand(command, args, { cwd, env = process.env, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let output = "";
    const shown = (/** @type {string} */ text, /** @type {NodeJS.WriteStream} */ stream) => {
      if (typeof show === "function") show(text);
      else if (show) stream.write(text);
    };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      output += text;
      shown(text, process.stdout);
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
      shown(text, process.stderr);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) return resolve({ stdout, output });
      const tail = output.trimEnd().split("\n").slice(-40).join("\n");
      const failure = new Error(
        `${[command, ...args].join(" ")}\nended with ${signal ?? `exit code ${code}`}\n${tail}`,
      );
      reject(Object.assign(failure, { stdout, output }));
    });
  });
}
