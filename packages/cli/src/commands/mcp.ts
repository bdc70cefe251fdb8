import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import type { McpFlags } from "../mcp/serve-host.js";
import type { CommandOutcome } from "./command-outcome.js";
import { isolationOption, portOption, repeatable, skillsOption } from "./shared-options.js";
import { addressOption, userOptions } from "./user-options.js";

export function addMcpCommand(program: Command, context: CliContext, outcome: CommandOutcome): void {
  const command = program
    .command("mcp")
    .summary("offer your skills to an editor or agent that speaks MCP")
    .description(
      "Speaks the Model Context Protocol on standard input and output, for a program that starts it: Claude Code, Codex, Cursor, VS Code and others. It offers the skills of `list` as tools, and a workspace of its own in which they run, until the program closes the input. Skills that came with the project run only after the program has asked you.",
    )
    .addOption(skillsOption())
    .addOption(isolationOption(" (default: as configured, or sandbox)"))
    .addOption(
      repeatable(
        "--files <dir>",
        "a folder from which runs may copy files as host:// inputs, and nothing is changed in it; may be given several times",
      ),
    )
    .addOption(
      new Option("--data <dir>", "where saved outputs are kept (default: as configured, or ~/.skillwright)"),
    )
    .addOption(
      new Option(
        "--http",
        "serve over HTTP at this machine instead, until SIGINT or SIGTERM; clients send the token that is printed, or that of SKILLWRIGHT_MCP_TOKEN, and share one workspace; with --issuer, each user has one",
      ),
    )
    .addOption(portOption().default(8788))
    .addOption(
      new Option(
        "--host <address>",
        "where it listens; other machines reach it only with --issuer (default: 127.0.0.1)",
      ),
    )
    .addOption(
      addressOption("--public-url <url>", "the address at which clients of the issuer's users reach it"),
    );
  for (const option of userOptions(" (default: the public URL)")) command.addOption(option);
  command
    .addHelpText(
      "after",
      [
        "",
        "A line for a host, here Claude Code; docs/mcp.md has those of others:",
        "",
        "  claude mcp add skillwright -- npx -y @skillwright/cli mcp --files .",
      ].join("\n"),
    )
    .action(async (flags: McpFlags) => {
      const { checkTogether } = await import("./check-together.js");
      checkTogether(flags, [
        ["host", "http"],
        ["keys", "issuer"],
        ["audience", "issuer"],
        ["publicUrl", "issuer"],
        ["issuer", "http"],
        ["issuer", "publicUrl"],
      ]);
      if (flags.http || context.stdin) {
        const { serveHost } = await import("../mcp/serve-host.js");
        return await serveHost(flags, context);
      }
      context.remark(
        "skillwright mcp is started by an editor or agent that speaks the Model Context Protocol, which then has your skills.",
        "It reads that protocol from a pipe, and here is none. To add it to Claude Code, for example:",
        "",
        "  claude mcp add skillwright -- npx -y @skillwright/cli mcp",
        "",
        "The lines for other hosts are in docs/mcp.md. To see which skills it offers, run: skillwright list",
      );
      outcome.exitCode = 2;
    });
}
