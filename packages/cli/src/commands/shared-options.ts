import { InvalidArgumentError, Option } from "commander";

/** `--skills SOURCE`, repeatable. */
export function skillsOption(): Option {
  return repeatable(
    "--skills <source>",
    "search this folder or source for skills first; may be given several times",
  );
}

export function jsonOption(): Option {
  return new Option("--json", "print JSON");
}

/** `--lock FILE` */
export function lockOption(): Option {
  return new Option("--lock <file>", "the lock file (default: skills.lock.json)");
}

/** `--skill NAME`, repeatable. */
export function skillNamesOption(): Option {
  return repeatable("--skill <name>", "only this skill; may be given several times");
}

/** `--index ADDRESS` */
export function indexOption(): Option {
  return new Option(
    "--index <address>",
    "redis://host:port with the shared index of these skills, which is updated",
  );
}

/** Where `install` and `update` put skills: a folder that every command searches by default. */
export function installedOption(): Option {
  return new Option("--to <dir>", "the folder to install skills into").default(".skillwright/skills");
}

/** `--allow-warnings` */
export function allowWarningsOption(): Option {
  return new Option("--allow-warnings", "accept skills with security warnings");
}

/** `--allow-errors` */
export function allowErrorsOption(): Option {
  return new Option("--allow-errors", "accept skills with errors");
}

/** `--port NUMBER` */
export function portOption(): Option {
  return new Option("--port <number>", "0 for any free one").argParser(port);
}

/** `--isolation KIND`; the note says what applies without it. */
export function isolationOption(note = ""): Option {
  return new Option(
    "--isolation <kind>",
    `sandbox: fail without one; auto: the strongest available; none${note}`,
  ).choices(["sandbox", "auto", "none"]);
}

/** A repeatable option: each use adds one value; without any, the value is undefined. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, earlier: readonly string[] | undefined) => [
    ...(earlier ?? []),
    value,
  ]);
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("Give a number from 0 to 65535.");
}
