import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { SkillError } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { McpCommand } from "../mcp-repository-options.js";
import type { McpSettings } from "../mcp-settings.js";
import { excessAnswer } from "./excess-answer.js";
import { messageLines } from "./message-lines.js";
import type { LinkFailure, ServerLink } from "./server-link.js";
import { type ServerProcess, startProcess } from "./server-process.js";

/** Messages to and from a program, one on each line of its standard streams. Other lines are ignored, but count. */
export function commandLink(settings: McpSettings, command: McpCommand): ServerLink {
  let program: ServerProcess | undefined;
  let isClosing = false;
  let excess: SkillError | undefined;
  let unanswered = 0;

  const transport: Transport & { readonly pid: number | null; readonly stderr: null } = {
    async start() {
      program = await startProcess(command);
      if (isClosing) {
        await program.end();
        throw new Error("it is closed");
      }
      program.onOutput(received);
      void program.ended.then(() => transport.onclose?.());
    },
    async send(message) {
      await program?.write(serializeMessage(message));
    },
    close,
    // The SDK takes a transport with these two for a pipe to a program, whose silence has another meaning than that of an address.
    get pid() {
      return program?.pid ?? null;
    },
    stderr: null,
  };

  const take = messageLines((line) => {
    const message = messageOf(line);
    if (!message) return;
    if ("result" in message || "error" in message) unanswered = 0;
    transport.onmessage?.(message);
  });

  function received(piece: Buffer): void {
    unanswered += piece.byteLength;
    if (unanswered <= settings.limits.answerBytes) take(piece);
    else {
      excess ??= excessAnswer(settings);
      void close();
    }
  }

  async function close(): Promise<void> {
    isClosing = true;
    await program?.end();
  }

  async function failure(): Promise<LinkFailure | undefined> {
    if (excess) return { error: excess, isEnd: false };
    if (!program?.hasEndedByItself()) return undefined;
    await program.ended;
    return { error: ended(settings.shown, program), isEnd: true };
  }

  return { transport, failure, close };
}

function messageOf(line: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
}

function ended(shown: string, { outcome, lastWords }: ServerProcess): SkillError {
  const words = shownLine(lastWords()).trim();
  return new SkillError(
    "BACKEND_FAILED",
    `The MCP server ${shown} ended (${outcome()})${words === "" ? "" : `. Its last words: ${words}`}. Check the command, and try again.`,
  );
}
