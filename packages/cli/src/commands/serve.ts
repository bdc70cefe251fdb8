import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "../cli-context.js";
import { parseDuration } from "../run/parse-duration.js";
import type { ServeFlags } from "../serve/serve-agent.js";
import { isolationOption, portOption, skillsOption } from "./shared-options.js";
import { userOptions } from "./user-options.js";

export function addServeCommand(program: Command, context: CliContext): void {
  const command = program
    .command("serve")
    .summary("serve an agent with your skills over HTTP")
    .description(
      "Starts an agent that has the skills of `list` and answers over HTTP, at this machine only unless --issuer names users. Prints its address and a new token or the issuer, and runs until SIGINT or SIGTERM: then it takes no new turns, lets running ones end for the time of --drain, and leaves the rest to the next start: their commands go on for a minute. Skills that came with the project need an approval: their turns wait until it is given at /v1/approvals.",
    )
    .addOption(portOption().default(8787))
    .addOption(
      new Option(
        "--host <address>",
        "a name or an address of this machine; others reach it only with --issuer",
      ).default("127.0.0.1"),
    )
    .addOption(
      new Option(
        "--model <provider:name>",
        "openai:NAME, anthropic:NAME or offline (default: as configured, or the first key that is set)",
      ),
    )
    .addOption(skillsOption())
    .addOption(isolationOption(" (default: as configured, or sandbox)"))
    .addOption(
      new Option(
        "--data <dir>",
        "where conversations and saved outputs are kept (default: as configured, or ~/.skillwright)",
      ),
    )
    .addOption(
      new Option(
        "--records <place>",
        "where conversations, turns and approvals are kept, also for several servers: a folder, sqlite:path, redis://host:port or postgres://host/database (default: below --data)",
      ),
    )
    .addOption(
      new Option(
        "--artifacts <place>",
        "where outputs are saved: a folder, s3://bucket/prefix, sqlite:path or postgres://host/database (default: below --data)",
      ),
    )
    .addOption(
      new Option(
        "--web",
        "with the web page: prints its address, and opens it where there is a browser",
      ).conflicts("issuer"),
    )
    .addOption(new Option("--no-open", "with --web: open no browser"))
    .addOption(
      new Option(
        "--keep-artifacts",
        "saved outputs stay when their conversation is deleted (default: they are deleted with it)",
      ),
    )
    .addOption(
      new Option("--drain <time>", "how long running turns may take at the end, such as 500ms, 30s or 2m")
        .default(10_000, "10s")
        .argParser(duration),
    )
    .addOption(
      new Option("--lease <time>", "after which another process takes over the turns of one that was killed")
        .default(30_000, "30s")
        .argParser(duration),
    )
    .addOption(
      new Option(
        "--log-level <level>",
        "what is told on standard error, as text on a terminal and as JSON otherwise: also requests and turns with info, and probes with debug (default: info, or warn on a terminal)",
      ).choices(["debug", "info", "warn", "error"]),
    );
  for (const option of userOptions()) command.addOption(option);
  command.action(async (flags: ServeFlags) => {
    const { checkTogether } = await import("./check-together.js");
    checkTogether(flags, [
      ["issuer", "audience"],
      ["audience", "issuer"],
      ["keys", "issuer"],
    ]);
    const { serveAgent } = await import("../serve/serve-agent.js");
    await serveAgent(flags, context);
  });
}

function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms <= 3_600_000) return ms;
  throw new InvalidArgumentError("Give a time such as 500ms, 30s or 2m, at most 60m.");
}
