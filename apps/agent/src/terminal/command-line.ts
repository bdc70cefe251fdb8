import { Command, Option } from "commander";

export interface DemoOptions {
  /** The given words, joined; missing where there were none. */
  readonly request: string | undefined;
  readonly chat: boolean;
  readonly skills: readonly string[];
  readonly model: string | undefined;
  readonly files: readonly string[];
  readonly runtime: "local" | "docker";
  readonly isolation: "auto" | "sandbox" | "none";
  /** Missing means the runtime's own. */
  readonly image: string | undefined;
  readonly yes: boolean;
  /** A folder or `s3://bucket/prefix`. */
  readonly artifacts: string;
  /** `redis://host:port` */
  readonly metadata: string | undefined;
  /** The conversation to continue. */
  readonly session: string | undefined;
  /** The agent's name, where the user has several. */
  readonly agent: string | undefined;
  /** A lock file that restricts the skills. */
  readonly lock: string | undefined;
  readonly stream: boolean;
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
    .option(
      "--skills <source>",
      "more skills: a folder, s3://bucket/prefix, git+https://host/path#ref:folder or an https address; may be given again, the strongest first",
      collected,
      [],
    )
    .option(
      "--model <provider:name>",
      "openai:NAME, anthropic:NAME or offline (default: the first key that is set)",
    )
    .option(
      "--file <file>",
      "a file to upload, beside those that the request names; may be given again",
      collected,
      [],
    )
    .addOption(
      new Option(
        "--runtime <kind>",
        "where commands run: on this machine, or in containers of Docker or Podman",
      )
        .choices(["local", "docker"])
        .default("local"),
    )
    .option("--image <image>", "with --runtime docker: the image of the containers")
    .addOption(
      new Option(
        "--isolation <mode>",
        "with --runtime local: sandbox: refuse to run without one; auto: run without one and say so; none",
      )
        .choices(["auto", "sandbox", "none"])
        .default("auto"),
    )
    .option("--yes", "allow what would ask first, without asking and without remembering it", false)
    .option("--artifacts <place>", "where outputs are saved: a folder or s3://bucket/prefix", "artifacts")
    .option(
      "--metadata <address>",
      "redis://host:port that several agents share: conversations and the index of remote skills",
    )
    .option(
      "--session <name>",
      "go on with this conversation; kept in ~/.skillwright/sessions, with --metadata in Redis",
    )
    .option(
      "--agent <name>",
      "which agent it is: adds its profile ~/.skillwright/agent/NAME/AGENT.md, and tells its loads apart in a shared conversation",
    )
    .option(
      "--lock <file>",
      "use of remote and project skills only what this lock file names, exactly as it was",
    )
    .option("--no-stream", "ask the model for whole answers, for servers that cannot stream")
    .version(version)
    .addHelpText("after", HELP)
    .showHelpAfterError("Run it with --help to see the options.");
  configure?.(command);
  command.parse([...args], { from: "user" });
  const { file: files, ...options } = command.opts();
  return { ...options, files, request: command.args.join(" ").trim() || undefined } as DemoOptions;
}

/** One value per option, so that words of the request are never taken for another folder. */
function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

const HELP = `
Environment:
  OPENAI_API_KEY, OPENAI_BASE_URL   a model by the OpenAI protocol, from any server
  ANTHROPIC_API_KEY                 a model of Anthropic
  AWS_ACCESS_KEY_ID, AWS_REGION, …  for s3:// as the AWS tools read them; AWS_ENDPOINT_URL_S3 for another server
  SKILLS_ROOT                       folders and remote sources of skills, separated as in PATH
  DOCKER_HOST                       the engine of --runtime docker, where it is not the usual one
  NO_COLOR                          no colours

Without a key the offline planner answers: it picks a skill by the words of the request and runs the skill's own example.`;
