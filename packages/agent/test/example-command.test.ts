import { describe, expect, test } from "vitest";
import { exampleCommand } from "../src/planner/example-command.js";

describe("the command from a skill's example", () => {
  test("is the bash block below Example, not an earlier one", () => {
    const body =
      "# A\n```bash\nnpm install\n```\n## Example\n\n```json\n{}\n```\n\n```bash\n$ node a.mjs inputs/x.csv\n```\n## More\n";
    expect(exampleCommand(body, "")).toBe("node a.mjs inputs/x.csv");
  });

  test("keeps several lines and removes prompts and comments", () => {
    const body = "## Examples\n```sh\n# first\ncd scripts\npython3 a.py \\\n  --fast\n```";
    expect(exampleCommand(body, "")).toBe("cd scripts\npython3 a.py \\\n--fast");
  });

  test("uses a plain block that looks like a command, otherwise one below Usage", () => {
    expect(exampleCommand("## Example\n```\nnode a.mjs 1\n```", "")).toBe("node a.mjs 1");
    expect(exampleCommand("## Example\n```\nsome output\n```\n### Usage\n```bash\nsh b.sh\n```", "")).toBe(
      "sh b.sh",
    );
  });

  test("uses the line after `Command:` where a skill writes its example without a code block", () => {
    const body =
      "Examples\n\n1) Print numbers\n\n   Command:\n   python3 scripts/fib.py 10 > out/fib.txt\n\nOutput Files\n";
    expect(exampleCommand(body, "")).toBe("python3 scripts/fib.py 10 > out/fib.txt");
  });

  test("a line separator of Unicode does not end a command", () => {
    expect(exampleCommand("Command:\n   sh a.sh 'b\u2028c' > out/d\n", "")).toBe(
      "sh a.sh 'b\u2028c' > out/d",
    );
  });

  test("uses the example whose words match the request", () => {
    const body =
      "## Example\n\nFibonacci numbers:\n\n```bash\npython3 a.py fib 10\n```\n\nPrime numbers:\n\n```bash\npython3 a.py primes 10\n```\n";
    expect(exampleCommand(body, "the first 5 primes")).toBe("python3 a.py primes 10");
    expect(exampleCommand(body, "numbers please")).toBe("python3 a.py fib 10");
  });

  test("a command in a table wins where it matches more words, or where the example's file is missing", () => {
    const body =
      "## Example\n```bash\npython3 describe.py inputs/n.txt\n```\n| statistics | `python3 describe.py inputs/n.txt` |\n| prime factors | `python3 primes.py 1001` |\n| help | `python3 primes.py --help` |";
    expect(exampleCommand(body, "prime factors of 84", false)).toBe("python3 primes.py 1001");
    expect(exampleCommand(body, "describe these numbers", true)).toBe("python3 describe.py inputs/n.txt");
    expect(exampleCommand(body, "something else", false)).toBe("python3 describe.py inputs/n.txt");
  });

  test("a heading inside a block does not end it, and knowledge has no command", () => {
    expect(exampleCommand("## Example\n```bash\n# Usage\nsh a.sh\n```", "")).toBe("sh a.sh");
    expect(exampleCommand("# Style\nWrite short sentences.\n```json\n{}\n```", "")).toBeUndefined();
  });
});
