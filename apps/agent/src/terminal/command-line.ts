import { Command, InvalidArgumentError, Option } from "commander";

export interface DemoOptions {
  /** The given words, joined; missing where there were none. */
  readonly request: string | undefined;
  readonly chat: boolean;
  /** Serve the agent over HTTP. */
  readonly serve?: boolean;
  /** Serve the web page too. */
  readonly web?: boolean;
  /** Open the web page in a browser. */
  readonly open?: boolean;
  /** 0 for any free one; missing means the default. */
  readonly port?: number;
  readonly skills: readonly string[];
  readonly model: string | undefined;
  readonly files: readonly string[];
  /** Missing means as configured, otherwise local. */
  readonly runtime?: "local" | "docker" | "kubernetes" | undefined;
  /** Missing means as configured, otherwise auto. */
  readonly isolation?: "auto" | "sandbox" | "none" | undefined;
  /** Missing means the runtime's own. */
  readonly image: string | undefined;
  readonly yes: boolean;
  /** A folder, a bucket or a database. Defaults to the configured place, otherwise to the folder `artifacts`; for a server, to its data folder. */
  readonly artifacts?: string | undefined;
  /** `redis://host:port`, or a database. */
  readonly records: string | undefined;
  /** The conversation to continue. */
  readonly session: string | undefined;
  /** The agent's name, where the user has several. */
  readonly agent: string | undefined;
  /** A lock file that restricts the skills. */
  readonly lock: string | undefined;
  readonly stream: boolean;
  /** The user's folder that commands may change. */
  readonly workspace: string | undefined;
}

export const DEFAULT_REQUEST = "Analyse data/orders.csv and write me a report";

/**
 * Parses the arguments after the program's name. Help, version and invalid options end the process, as in commander.
 */
export function commandLine(
  args: readonly string[],
  version: string,
  configure?: (command: Command) => void,
): DemoOptions {
  const command = new Command("npm run demo --")
    .description(
      "The reference agent of Skillwright: answers one request with skills, or opens a terminal chat.",
    )
    .argument("[request...]", `what to do (default: "${DEFAULT_REQUEST}")`)
    .option("--chat", "open a terminal chat", false)
    .option("--serve", "serve the agent over HTTP at 127.0.0.1; prints the address and the token")
    .option(
      "--web",
      "as --serve, with the web page: prints its address, and opens it where there is a browser",
    )
    .option("--no-open", "with --web: open no browser")
    .option(
      "--port <number>",
      "with --serve and --web: the port, 0 for any free one (default: 8787)",
      portNumber,
    )
    .option(
      "--skills <source>",
      "more skills: a folder, s3://bucket/prefix, git+https://host/path#ref:folder, an https address, sqlite:path or postgres://host/database; may be given several times, highest precedence first",
      collected,
      [],
    )
    .option(
      "--model <provider:name>",
      "openai:NAME, anthropic:NAME or offline (default: as configured, or the first key that is set)",
    )
    .option(
      "--file <file>",
      "a file to upload, in addition to those named in the request; may be given several times",
      collected,
      [],
    )
    .addOption(
      new Option(
        "--runtime <kind>",
        "where commands run: on this machine, or in containers of Docker or Podman (default: as configured, or local)",
      ).choices(["local", "docker", "kubernetes"]),
    )
    .option("--image <image>", "with --runtime docker: the image of the containers")
    .addOption(
      new Option(
        "--isolation <mode>",
        "with --runtime local: sandbox: refuse to run without one; auto: use one if available, and say if not; none (default: as configured, or auto)",
      ).choices(["auto", "sandbox", "none"]),
    )
    .option(
      "--yes",
      "allow everything that needs approval, without asking and without storing the approval",
      false,
    )
    .option(
      "--artifacts <place>",
      "where outputs are saved: a folder, s3://bucket/prefix, sqlite:path or postgres://host/database (default: as configured, or artifacts; for a server ~/.skillwright/artifacts)",
    )
    .option(
      "--records <place>",
      "where conversations are kept, also for several agents: a folder, sqlite:path, redis://host:port (which also has the index of remote skills) or postgres://host/database (default: as configured, or ~/.skillwright/records)",
    )
    .option(
      "--session <name>",
      "continue this conversation; stored in ~/.skillwright/records, or where --records says",
    )
    .option(
      "--agent <name>",
      "the agent's name: adds the profile ~/.skillwright/agent/NAME/AGENT.md, and separates its loaded skills in a shared conversation",
    )
    .option(
      "--lock <file>",
      "use only those remote and project skills that this lock file contains, in exactly the locked version",
    )
    .option(
      "--workspace <folder>",
      "let commands work in this folder of yours, as work/project; asks once, and /undo brings back what a turn changed",
    )
    .option("--no-stream", "request complete answers from the model, for servers that cannot stream")
    .version(version)
    .addHelpText("after", HELP)
    .showHelpAfterError("Run the command with --help to see the options.");
  configure?.(command);
  command.parse([...args], { from: "user" });
  const { file: files, ...options } = command.opts();
  return { ...options, files, request: command.args.join(" ").trim() || undefined } as DemoOptions;
}

function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError("It is a number from 0 to 65535.");
}

/** One value per option, so that words of the request are never taken for another folder. */
function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

const HELP = `
Everything else is set in ~/.skillwright/skillwright.config.json (or the file that SKILLWRIGHT_CONFIG names):
policies of workspaces, limits, network, tools, loads, compaction. docs/agent-configuration.md lists all fields.

Environment:
  OPENAI_API_KEY, OPENAI_BASE_URL   a model with the OpenAI protocol, on any server
  ANTHROPIC_API_KEY                 a model of Anthropic
  AWS_ACCESS_KEY_ID, AWS_REGION, …  for s3://, as for the AWS tools; AWS_ENDPOINT_URL_S3 for other servers
  SKILLS_ROOT                       folders and remote sources of skills, separated as in PATH
  DOCKER_HOST                       the engine for --runtime docker, if it is not the default one
  NO_COLOR                          no colours

Without a key the offline planner answers: it selects a skill by the words of the request and runs the example of that skill.`;
