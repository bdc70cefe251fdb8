import { describe, expect, test } from "vitest";
import { fillCommand } from "../src/planner/fill-command.js";

describe("the user's file in the example's place", () => {
  test("replaces the input wherever it occurs, and nothing else", () => {
    const example = "node a.mjs inputs/orders.csv --out out/orders.csv && wc inputs/orders.csv";
    expect(fillCommand(example, ["inputs/may.csv"], "").command).toBe(
      "node a.mjs inputs/may.csv --out out/orders.csv && wc inputs/may.csv",
    );
  });

  test("quotes a path that the shell would split", () => {
    expect(fillCommand('sh a.sh "inputs/a b.txt"', ["inputs/it's here.txt"], "").command).toBe(
      "sh a.sh 'inputs/it'\\''s here.txt'",
    );
  });

  test("prefers the file with the example's extension, and fills several inputs in order", () => {
    expect(fillCommand("sh a.sh inputs/x.pdf", ["inputs/n.txt", "inputs/p.pdf"], "").command).toBe(
      "sh a.sh inputs/p.pdf",
    );
    expect(fillCommand("diff inputs/a.md inputs/b.md", ["inputs/1.md", "inputs/2.md"], "").command).toBe(
      "diff inputs/1.md inputs/2.md",
    );
  });

  test("a sample among the assets is replaced only by a file of its kind", () => {
    expect(fillCommand("sh a.sh assets/s.csv", ["inputs/u.csv"], "").command).toBe("sh a.sh inputs/u.csv");
    expect(fillCommand("sh a.sh assets/s.csv", ["inputs/u.pdf"], "").command).toBe("sh a.sh assets/s.csv");
  });

  test("reports which input is missing", () => {
    expect(fillCommand("sh a.sh inputs/x.csv 3", [], "of 5").missing).toBe("inputs/x.csv");
  });

  test("in a command without files, the request's numbers replace the example's", () => {
    const filled = fillCommand(
      "python3 fib.py 10 > out/fib.txt",
      ["inputs/old.csv"],
      "the first 25 numbers of v1.2",
    );
    expect(filled.command).toBe("python3 fib.py 25 > out/fib.txt");
    expect(fillCommand("python3 fib.py 10", [], "some").command).toBe("python3 fib.py 10");
    expect(fillCommand("python3 primes.py 600851475143 1001", [], "of 84").command).toBe(
      "python3 primes.py 84",
    );
  });
});
