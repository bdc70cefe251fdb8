import { spawn } from "node:child_process";
import type { EnginePlace } from "./engine-address.js";

export interface SshProcess {
  hasEnded(): boolean;
  /** The end of its error output, without a full stop. */
  said(): string;
  end(): void;
}

const LONGEST_WORDS = 1000;

/**
 * Starts the user's `ssh` without prompts. It forwards `socket` to the remote engine's socket, and ends with this
 * process, for whatever reason that ends.
 */
export function startSsh(
  { target, port, socket: remote }: Extract<EnginePlace, { kind: "ssh" }>,
  socket: string,
): SshProcess {
  const options = ["-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes", "-o", "ServerAliveInterval=15"];
  const forward = [...(port ? ["-p", port] : []), "-T", "-L", `${socket}:${remote}`];
  // The remote command ends with its input, and the tunnel with it.
  const args = [...options, ...forward, "--", target, "cat >/dev/null"];
  const child = spawn("ssh", args, { stdio: ["pipe", "ignore", "pipe"] });
  for (const part of [child, child.stdin, child.stderr]) (part as { unref?: () => void }).unref?.();
  child.stdin.on("error", () => undefined);
  let said = "";
  let ended = false;
  child.stderr.on("data", (bytes: Buffer) => {
    said = `${said}${bytes.toString()}`.slice(-LONGEST_WORDS);
  });
  child.once("error", (error) => {
    said = error.message;
    ended = true;
  });
  child.once("exit", () => {
    ended = true;
  });
  return {
    hasEnded: () => ended,
    said: () => said.trim().replace(/\.$/, ""),
    end: () => child.kill(),
  };
}
