import { Option } from "commander";

/** `--skills DIR`, given once or several times. */
export function skillsOption(): Option {
  return repeatable("--skills <dir>", "look for skills here first; may be given several times");
}

export function jsonOption(): Option {
  return new Option("--json", "print JSON for programs");
}

/** An option whose values add up: each use takes one value; without any there is no list. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, earlier: readonly string[] | undefined) => [
    ...(earlier ?? []),
    value,
  ]);
}
