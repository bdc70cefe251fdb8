/** Syntax that a policy refuses to pass to bash. */
export interface RefusedSyntax {
  readonly reason: string;
  readonly hint: string;
}

/** What is allowed, for hints. */
export const UNDERSTOOD = "Only literal words, quotes, |, &&, || and ; are supported here.";

const SHOWN = 40;

const VALUE = "Write the value itself.";
const FILES = "Let the program read and write files through its own arguments, such as -o out/x.";
const STEPS = "Write the steps one after the other with && or ;, or put them into a script.";
const NAMES = "Name each file, or quote the word to use it literally.";

/** Name and remedy of each kind of node; unlisted kinds are refused as well. */
const KINDS: Readonly<Record<string, readonly [name: string, hint: string]>> = {
  CommandExpansion: ["the command substitution $(...)", "Run that command first and write its result."],
  BackTicks: ["a command substitution in back-ticks", "Run that command first and write its result."],
  SimpleExpansion: ["the variable", `${VALUE} Put a literal $ into single quotes.`],
  ParameterExpansion: ["the variable expansion", `${VALUE} Put a literal $ into single quotes.`],
  ArithmeticExpansion: ["the arithmetic expansion $((...))", VALUE],
  ArithmeticCommand: ["the arithmetic command ((...))", VALUE],
  ProcessSubstitution: ["the process substitution", FILES],
  AnsiCQuoted: ["the $'...' quoting", "Use plain quotes."],
  LocaleString: ['the $"..." quoting', "Use plain quotes."],
  Glob: ["the file name pattern", NAMES],
  ExtendedGlob: ["the extended file name pattern", NAMES],
  BraceExpansion: ["the brace expansion", "Write each word, or quote the braces."],
  Tilde: ["the home directory ~", "Write the path itself, such as work/x."],
  Redirect: ["the output redirection", FILES],
  InputRedirect: ["the input redirection", "Give the file as an argument, or the text as stdin."],
  HereDoc: ["the here-document", "Give the text as stdin."],
  HereString: ["the here-string", "Give the text as stdin."],
  Assignment: ["the variable assignment", "Give variables in env."],
  Background: ["the background operator", "Run it in the foreground."],
  PipeBoth: ["the pipe", "Use | for standard output alone."],
  Negation: ["the negation !", "Look at exit_code instead."],
  Time: ["the keyword time", "duration_ms in the result says how long the command took."],
  Subshell: ["a subshell in parentheses", STEPS],
  BraceGroup: ["a group in braces", STEPS],
  If: ["the control word if", STEPS],
  For: ["the control word for", STEPS],
  ArithmeticFor: ["the control word for", STEPS],
  While: ["a while or until loop", STEPS],
  Select: ["the control word select", STEPS],
  Case: ["the control word case", STEPS],
  Function: ["a function definition", STEPS],
  Coproc: ["the keyword coproc", STEPS],
  TestCommand: ["the test [[ ... ]]", "Use the program test where it is allowed."],
  Redirected: ["a redirected group", STEPS],
  Comment: ["a comment", "Leave it out; put a literal # into quotes."],
  LineBreak: ["a line break", "Join the steps with && or ;."],
};

/** Creates the refusal of one construct, with its text. */
export function refusedSyntax(kind: string, text: string): RefusedSyntax {
  const [name, hint] = KINDS[kind] ?? [`shell syntax of the kind ${kind}`, UNDERSTOOD];
  return { reason: `The command line contains ${name}: ${JSON.stringify(excerpt(text))}.`, hint };
}

/** Returns the first 40 characters. */
export function excerpt(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}
