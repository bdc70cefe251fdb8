import { describe, expect, it } from "vitest";
import { hasAll } from "../needs/has-all.js";
import { exampleCommand, readFrontmatter, skillFile, skillFiles } from "./bundled-skill.js";
import { skillWorkspace } from "./skill-workspace.js";

if (hasAll("python3")) testPythonMath();

describe("python-math, with Python or without", () => {
  it("states its requirements in its header", () => {
    expect(readFrontmatter("python-math").fields["compatibility"]).toMatch(
      /^Needs Python 3\.8 or newer as python3\./,
    );
  });
});

function testPythonMath() {
  const workspace = skillWorkspace("python-math");
  const python = (args: string) => workspace.run(`python3 scripts/${args}`);

  describe("python-math", () => {
    it("runs its example command and writes nothing into its own directory", () => {
      const sample = skillFile("python-math", "assets/numbers.txt");
      workspace.input("numbers.txt", sample);
      expect(workspace.run(exampleCommand("python-math") ?? "")).toMatchObject({ code: 0, stderr: "" });
      const numbers = sample
        .replace(/#.*/g, "")
        .trim()
        .split(/\s+/)
        .map(Number)
        .sort((a, b) => a - b);
      const sum = numbers.reduce((total, number) => total + number, 0);
      const mean = sum / numbers.length;
      const variance =
        numbers.reduce((total, number) => total + (number - mean) ** 2, 0) / (numbers.length - 1);
      const report = workspace.output("statistics.md");
      const row = (name: string) => Number(new RegExp(`\\| ${name} \\| (\\S+) \\|`).exec(report)?.[1]);
      expect(row("count")).toBe(numbers.length);
      expect(row("sum")).toBeCloseTo(sum, 6);
      expect(row("mean")).toBeCloseTo(mean, 6);
      expect(row("median")).toBe(numbers[(numbers.length - 1) / 2]);
      expect(row("standard deviation \\(sample\\)")).toBeCloseTo(Math.sqrt(variance), 6);
      expect(report).toContain("| 24.6, 27.9, 31.4 |");
      const counted = [...report.matchAll(/#+ +(\d+)$/gm)].reduce(
        (total, [, count]) => total + Number(count),
        0,
      );
      expect(counted, "each number is in one class of the histogram").toBe(numbers.length);
      expect(workspace.strayFiles()).toEqual([]);
    });

    it("writes JSON if the path says so, and accepts a single number", () => {
      workspace.input("one.txt", "\ufeff 42; # alone\n");
      expect(python("describe.py inputs/one.txt --out out/one.json").stdout).toContain("sum: 42\n");
      const result = JSON.parse(workspace.output("one.json"));
      expect(result).toMatchObject({ count: 1, mean: 42, median: 42, "standard deviation (sample)": null });
    });

    it("fits a line and predicts with it", () => {
      workspace.input("pairs.txt", "1 3\n2 5\n3 7\n4 9\n");
      const { code, stdout } = python("regression.py inputs/pairs.txt --predict 10 --out out/line.json");
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("y at 10: 21\n") });
      expect(JSON.parse(workspace.output("line.json"))).toMatchObject({
        pairs: 4,
        slope: 2,
        intercept: 1,
        "r squared": 1,
      });
      expect(python("regression.py assets/pairs.txt")).toMatchObject({ code: 0 });
    });

    it("factorises whole numbers beyond the range of a double", () => {
      const { stdout } = python(
        "primes.py 1 97 1001 4611686018427387904 18446744073709551617 1000000016000000063",
      );
      expect(stdout.split("\n")).toEqual([
        "1 = 1",
        "97 = 97 (prime)",
        "1001 = 7 * 11 * 13",
        "4611686018427387904 = 2^62",
        "18446744073709551617 = 274177 * 67280421310721",
        "1000000016000000063 = 1000000007 * 1000000009",
        "",
      ]);
    });

    it("names the factor that it could not split within the time limit", () => {
      const { code, stdout } = python("primes.py 340282366920938463463374607431768211457 --seconds 0.2");
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("composite, not split within 0.2 s"),
      });
    });

    it("lists the primes up to a limit", () => {
      python("primes.py --up-to 10000 --out out/primes.txt");
      const [head, ...primes] = workspace.output("primes.txt").trim().split("\n");
      const isPrime = (number: number) =>
        Array.from({ length: 100 }, (_, at) => at + 2).every((d) => d >= number || number % d);
      const expected = Array.from({ length: 9999 }, (_, at) => at + 2).filter(isPrime);
      expect(head).toBe("1229 primes up to 10000");
      expect(primes.map(Number)).toEqual(expected);
    });

    it("prints Fibonacci numbers to the last digit", () => {
      let [value, following] = [0n, 1n];
      for (let at = 0; at < 5000; at++) [value, following] = [following, value + following];
      expect(python("fibonacci.py 5000").stdout).toBe(`${value}\n`);
      expect(
        python("fibonacci.py 30000").stdout.length,
        "beyond Python's limit for writing numbers out",
      ).toBe(6270 + 1);
      expect(python("fibonacci.py 7 --list").stdout).toBe("0\n1\n1\n2\n3\n5\n8\n");
    });

    it.each(skillFiles("python-math").filter((path) => /scripts\/(?!input_error|number_file)/.test(path)))(
      "explains %s with --help",
      (path) => {
        expect(workspace.run(`python3 ${path} --help`)).toMatchObject({
          code: 0,
          stdout: expect.stringContaining("usage:"),
        });
      },
    );
  });

  describe("python-math refuses with exit code 2, the reason and a remedy", () => {
    it.each([
      ["a file that is not there", "describe.py inputs/none.txt", "ls inputs"],
      ["a folder", "describe.py inputs", "Give a text file of numbers."],
      [
        "an empty file",
        "describe.py inputs/empty.txt",
        "has no numbers. Give a text file with at least one.",
      ],
      [
        "a word",
        "describe.py inputs/words.txt",
        "line 2: 'two' is not a number. Correct it, or leave such words out",
      ],
      ["a binary file", "describe.py inputs/binary.txt", "is not a text file in UTF-8"],
      ["one point for a line", "regression.py inputs/point.txt", "has fewer than two rows"],
      ["rows of different length", "regression.py inputs/ragged.txt", "Give two on every line"],
      ["points above each other", "regression.py inputs/upright.txt", "All x are the same"],
      ["zero to factorise", "primes.py 0", "has no prime factors. Give whole numbers from 1."],
      ["a list without end", "primes.py --up-to 99999999999", "is out of range. Give a limit from 2"],
      [
        "a Fibonacci number too far",
        "fibonacci.py 10000000",
        "is out of range. Give a number from 0 to 1000000.",
      ],
      ["text for a number", "fibonacci.py ten", "invalid int value"],
      ["an unwritable path", "fibonacci.py 10 --out inputs/words.txt/x", "Give a path below out/."],
    ])("%s", (_, command, message) => {
      for (const [name, content] of Object.entries(FILES)) workspace.input(name, content);
      const { code, stderr } = python(command);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
      expect(stderr).not.toContain("Traceback");
    });

    it("leaves words out if told to, and says how many", () => {
      workspace.input("words.txt", "1\ntwo\n3 nan\n");
      const { code, stdout } = python("describe.py inputs/words.txt --skip-bad");
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("sum: 4\n") });
      expect(stdout).toContain("note: 2 words are not numbers and were left out, the first on line 2: 'two'");
    });
  });
}

const FILES = {
  "empty.txt": "# nothing\n",
  "words.txt": "1\ntwo\n3 nan\n",
  "binary.txt": Buffer.from([0xff, 0xfe, 0x80]),
  "point.txt": "1 2\n",
  "ragged.txt": "1 2\n3\n",
  "upright.txt": "1 2\n1 3\n",
};
