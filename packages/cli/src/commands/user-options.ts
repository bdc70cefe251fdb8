import { InvalidArgumentError, Option } from "commander";

/** Returns the options `--issuer URL`, `--keys URL` and `--audience TEXT`. `audienceNote` ends the help of the last one. */
export function userOptions(audienceNote = ""): readonly Option[] {
  return [
    addressOption(
      "--issuer <url>",
      "serve the users to whom this identity provider gives tokens (JWT), each with data of their own",
    ),
    addressOption("--keys <url>", "the issuer's keys (default: as the issuer's metadata says)"),
    new Option("--audience <text>", `for whom the tokens are, as in their field aud${audienceNote}`),
  ];
}

/** An option for an address to which tokens are sent, or whose answer decides which tokens are accepted. */
export function addressOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(protectedAddress);
}

function protectedAddress(text: string): string {
  const { protocol, hostname = "", username, hash } = URL.parse(text) ?? {};
  const isProtected = protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
  if (isProtected && !username && !hash) return text;
  throw new InvalidArgumentError(
    "Give an address with https:, or with http: on this machine, without a user's name and without #.",
  );
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
