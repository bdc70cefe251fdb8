import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { runs } from "../../../test/full-form.js";
import { leastTime } from "../../../test/timing/least-time.js";
import { readCommand } from "../src/policy/read-command.js";

/** The words of each program, or the reason for the refusal. */
function read(command: string): readonly (readonly string[])[] | string {
  const reading = readCommand(command);
  return "reason" in reading ? reading.reason : reading.segments.map(({ words }) => words);
}

describe("a command", () => {
  test("is split into the programs between | && || and ; (POLICY-12)", () => {
    expect(read("a | b && c || d ; e")).toEqual([["a"], ["b"], ["c"], ["d"], ["e"]]);
    expect(read("a|b&&c||d;e;")).toEqual([["a"], ["b"], ["c"], ["d"], ["e"]]);
  });

  test.each<[string, string[]]>([
    ['echo "hi there"', ["echo", "hi there"]],
    ["echo 'hi there'", ["echo", "hi there"]],
    ["echo hi\\ there", ["echo", "hi there"]],
  ])("%s has one argument (POLICY-13)", (command, words) => {
    expect(read(command)).toEqual([words]);
  });

  test.each<[string, RegExp]>([
    ['echo "hi', /unterminated double quote/],
    ["echo 'hi", /unterminated single quote/],
    ["echo hi\\", /backslash that escapes nothing/],
    ["\\", /backslash that escapes nothing/],
  ])("%s is incomplete (POLICY-14)", (command, reason) => {
    expect(read(command)).toMatch(reason);
  });

  test.each(["cmd ''", 'cmd ""'])("%s keeps its empty argument (POLICY-15)", (command) => {
    expect(read(command)).toEqual([["cmd", ""]]);
  });

  test("joins quotes to words and keeps backslashes as bash does (POLICY-13)", () => {
    expect(read(`echo abc'def'"ghi"`)).toEqual([["echo", "abcdefghi"]]);
    expect(read('echo "a\\nb"')).toEqual([["echo", "a\\nb"]]);
    expect(read('echo "a\\"b\\$c" \\$d')).toEqual([["echo", 'a"b$c', "$d"]]);
    expect(read("python3 -c 'print(1)\nprint(2)'")).toEqual([["python3", "-c", "print(1)\nprint(2)"]]);
  });

  test("may contain literal braces (POLICY-16)", () => {
    expect(read("find . -exec cat {} +")).toEqual([["find", ".", "-exec", "cat", "{}", "+"]]);
    expect(read("echo a,{b} {c}.. ,{d")).toEqual([["echo", "a,{b}", "{c}..", ",{d"]]);
  });

  test("may begin and end with line breaks", () => {
    expect(read("\n a b | c \n")).toEqual([["a", "b"], ["c"]]);
  });
});

describe("syntax that is refused by name (POLICY-17)", () => {
  test.each<[string, RegExp]>([
    ["echo $(x)", /command substitution \$/],
    ["echo `x`", /back-ticks/],
    ['echo "$(x)"', /command substitution/],
    ["echo $HOME", /the variable: "\$HOME"/],
    ['echo "$HOME"', /the variable:/],
    ["echo $", /the variable: "\$"/],
    ['echo "a$"', /the variable:/],
    ['echo "a$(x)"', /command substitution/],
    ["echo $\x7bX}", /variable expansion/],
    ["echo $((1))", /arithmetic expansion/],
    ["echo $[1]", /contains the/],
    ["cat <(x)", /process substitution/],
    ["x > f", /output redirection/],
    ["x 2>&1", /output redirection/],
    ["x < f", /input redirection/],
    ["x <<< f", /here-string/],
    ["x <<E\nf\nE", /here-document/],
    ["x &", /background/],
    ["(x)", /subshell/],
    ["{ x; }", /group in braces/],
    ["if a; then b; fi", /control word if/],
    ["for a in b; do c; done", /control word for/],
    ["for ((;;)); do c; done", /control word for/],
    ["while a; do b; done", /while or until/],
    ["until a; do b; done", /while or until/],
    ["case a in b) c;; esac", /control word case/],
    ["select a in b; do c; done", /control word select/],
    ["f(){ x; }", /function definition/],
    ["[[ -f x ]]", /test \[\[/],
    ["((1))", /arithmetic command/],
    ["coproc x", /coproc/],
    ["A=1 x", /variable assignment/],
    ["A=1", /variable assignment/],
    ["X+=1 x", /variable assignment/],
    ["! x", /negation/],
    ["time x", /keyword time/],
    ["a |& b", /the pipe: "\|&"/],
    ["ls *.txt", /file name pattern/],
    ["ls a?", /file name pattern/],
    ["ls [ab]", /file name pattern/],
    ["ls @(a|b)", /extended file name pattern/],
    ["ls {a,b}", /brace expansion/],
    ["ls {1..3}", /brace expansion/],
    ["ls {}\\{,}", /brace expansion/],
    ["ls ~", /home directory/],
    ["dd of=~/x", /home directory/],
    ["x # c", /a comment/],
    ["x\ny", /line break/],
    ["x\\\ny", /line break/],
    ["echo $'a'", /\$'\.\.\.' quoting/],
    ['echo $"a"', /quoting/],
    ["echo a\rb", /control character 0x0d/],
    ["echo 'a\u0007'", /control character 0x07/],
    ["x ;; y", /cannot be parsed/],
    ["x &&", /cannot be parsed/],
    ["# c", /comment/],
  ])("%j", (command, reason) => {
    expect(read(command)).toMatch(reason);
  });

  test("a refusal quotes the first 40 characters of the text", () => {
    const named = `$${"x".repeat(39)}`;
    expect(read(`echo ${named}`)).toBe(`The command line contains the variable: "${named}".`);
    expect(read(`echo ${named}x`)).toBe(`The command line contains the variable: "${named}...".`);
  });

  test.each(["", "  ", "\n"])("%j, which has no command", (command) => {
    expect(read(command)).toBe("The command line has no command.");
  });
});

describe("the limits (POLICY-18)", () => {
  test("are 16 KiB", () => {
    expect(read(`echo ${"x".repeat(17 * 1024)}`)).toMatch(/has 17413 bytes; at most 16384/);
    expect(read(`echo ${"x".repeat(16 * 1024 - 5)}`)).toHaveLength(1);
  });

  test("are 32 programs", () => {
    expect(read(Array(40).fill("echo").join(";"))).toMatch(/has 40 commands; at most 32/);
    expect(read(Array(32).fill("echo").join("|"))).toHaveLength(32);
  });
});

const atom = fc.constantFrom(
  ..."a b | || && ; & ( ) < > $ ` ' \" \\ { } , .. * ? [ ] ~ ! # = + - / % ^ @ é 1 $( $\x7b $(( (( [[ <<E if case {a,b} '' cd".split(
    " ",
  ),
  " ",
  "\t",
  "\n",
);

describe("for any text", () => {
  test("parsing never throws and always ends", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(atom, { maxLength: 60 }).map((all) => all.join("")),
          fc.string(),
        ),
        (text) => {
          const reading = readCommand(text);
          expect("reason" in reading ? reading.reason : reading.segments.length).toBeTruthy();
        },
      ),
      runs(3000),
    );
  });

  test.each([
    "(",
    "$(",
    "`",
    '"$(',
    "{",
    "a;",
    "a|",
    "[",
    "{a,",
    "<<E ",
    "((",
    "a\\\n",
    "${",
    "! ",
    "if ",
    "\\",
    "#",
    "a ",
  ])("16 KiB of %j are parsed in linear time", (piece) => {
    const text = piece.repeat((16 * 1024) / piece.length);
    expect(leastTime(() => readCommand(text), 500)).toBeLessThan(500);
  });

  test("accepted commands have the words that bash finds", async () => {
    const accepted = fc
      .sample(fc.array(atom, { minLength: 1, maxLength: 10 }), runs(60_000))
      .map((all) => `p${all.join("")}`)
      .flatMap((command) => {
        const words = read(command);
        return typeof words !== "string" && words.length === 1 ? [{ command, words: words[0] }] : [];
      });
    expect(accepted.length).toBeGreaterThan(runs(500).numRuns);
    expect(await wordsOfBash(accepted.map(({ command }) => command))).toEqual(
      accepted.map(({ words }) => words),
    );
  });
});

/** Words of commands with one program. They are not run: `set --` receives them. */
async function wordsOfBash(commands: readonly string[]): Promise<readonly string[][]> {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-words-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const script = commands.map((command) => `set -- ${command}\nprintf '%s\\001' "$@"; printf '\\002'`);
  await writeFile(join(directory, "words"), script.join("\n"));
  const bash = promisify(execFile);
  const { stdout } = await bash("bash", ["--noprofile", "--norc", "words"], {
    cwd: directory,
    maxBuffer: 64 * 1024 * 1024,
  });
  const split = (text: string, by: string) => text.split(by).slice(0, -1);
  return split(stdout, "\u0002").map((words) => split(words, "\u0001"));
}
