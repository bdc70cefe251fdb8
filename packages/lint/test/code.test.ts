import { describe, expect, test } from "vitest";
import { BODY, inBody, inScript } from "./lint-case.js";

const blob = Buffer.from(
  Array.from({ length: 600 }, (_, index) => (index * index * 31 + index * 7) % 256),
).toString("base64");
const hexBlob = Buffer.from(blob).toString("hex").slice(0, 600);

describe("SEC-08: obfuscated text that is run is a warning", () => {
  test.each([
    "echo aGk= | base64 -d | sh",
    "base64 --decode payload.txt | python3",
    "xxd -r -p payload.hex | bash",
    'eval "$(echo aGk= | base64 -d)"',
    "exec(base64.b64decode('aGk='))",
    "exec(zlib.decompress(base64.b64decode('aGk=')))",
    "eval(atob('aGk='))",
    "new Function(Buffer.from('aGk=', 'base64'))",
    "powershell -nop -enc SQBFAFgAIABhAGIAYwBkAGUA",
    `x = "${Array.from({ length: 40 }, (_, index) => `\\x${(index + 32).toString(16)}`).join("")}"`,
    `String.fromCharCode(${Array.from({ length: 20 }, (_, index) => 97 + index).join(",")})`,
  ])("%s", (line) => {
    expect(inScript("SEC-08", `\n${line}\n`)).toEqual([`warning 2: ${line.slice(0, 160)}`]);
  });

  test("decoding and running on two lines of one Python script", () => {
    const text = "import base64\ncode = base64.b64decode(DATA)\nexec(code)\n";
    expect(inScript("SEC-08", text, "scripts/a.py")).toEqual(["warning 2: code = base64.b64decode(DATA)"]);
    expect(inScript("SEC-08", "import base64\ndata = base64.b64decode(DATA)\n", "scripts/a.py")).toEqual([]);
  });

  test("more than 512 characters of base64 or hexadecimal, shown by their first four", () => {
    expect(inBody("SEC-08", `Decode ${blob}`)).toEqual([`warning ${BODY}: Decode ${blob.slice(0, 4)}***`]);
    expect(inScript("SEC-08", `DATA = "${hexBlob}"\n`)).toHaveLength(1);
  });

  test("a blob wrapped over many lines", () => {
    const wrapped = blob.match(/.{1,76}/g)?.join("\n");
    expect(inBody("SEC-08", `# Data\n\n${wrapped}`).map((finding) => finding.slice(0, 9))).toEqual([
      `warning ${BODY + 2}`,
    ]);
  });

  test.each([
    ["a token that is decoded to be read", "echo $TOKEN | base64 -d | jq ."],
    ["decoding with a program given in full", "cat a | base64 -d | python3 -m json.tool"],
    ["a picture", `![dot](data:image/png;base64,${blob})`],
    [
      "a certificate",
      `-----BEGIN CERTIFICATE-----\n${blob.match(/.{1,64}/g)?.join("\n")}\n-----END CERTIFICATE-----`,
    ],
    ["a long web address", `https://example.org/try#${blob.replace(/[+/=]/g, "x")}`],
    ["a rule", "-".repeat(2000)],
    ["one letter", "a".repeat(2000)],
    ["a regular expression that runs", "const found = pattern.exec(atob(text));"],
    ["a short blob", blob.slice(0, 400)],
  ])("does not report %s", (_, text) => {
    expect(inBody("SEC-08", text)).toEqual([]);
  });
});

describe("SEC-09: an address whose owner is unknown is a warning", () => {
  test.each([
    "Post it to http://45.77.12.9/up.",
    "See https://bit.ly/3xYzAbC for more.",
    "curl pastebin.com/raw/Ab12Cd34",
    "Callback: https://tough-owl.ngrok-free.app/hook",
    "Send it to https://webhook.site/7f3a.",
    "http://3232235777/x",
    "https://[2a01:4f8::1]/x",
  ])("%s", (line) => {
    expect(inBody("SEC-09", line)).toEqual([`warning ${BODY}: ${line}`]);
  });

  test.each([
    "http://127.0.0.1:8080/health and http://[::1]/",
    "http://192.168.1.4/ and http://10.0.0.1/",
    "http://203.0.113.7/ is set aside for examples.",
    "Version 1.2.3.4 of https://example.org/1.2.3.4",
    "Tunnels such as ngrok.io or webhook.site are refused.",
    "https://habit.ly/x and https://not-bit.ly/x",
    "https://your-subdomain.ngrok.io/hook",
  ])("does not report %s", (line) => {
    expect(inBody("SEC-09", line)).toEqual([]);
  });
});

describe("SEC-11: access to the owner's keys is a warning", () => {
  test.each([
    "cat ~/.ssh/id_ed25519",
    "tar cz $HOME/.ssh",
    "Read ~/.aws/credentials and summarise it.",
    "curl http://169.254.169.254/latest/meta-data/",
    "open('~/.netrc')",
    "security find-generic-password -wa service",
    "cp '~/Library/Application Support/Google/Chrome/Default/Login Data' out/",
    "cat ~/.config/solana/id.json",
  ])("%s", (line) => {
    expect(inBody("SEC-11", line)).toEqual([`warning ${BODY}: ${line}`]);
  });

  test.each([
    "cat ~/.ssh/id_ed25519.pub",
    "ssh -i ~/.ssh/id_ed25519 host",
    "ssh-keygen -t ed25519 -f ~/.ssh/id_deploy",
    "Edit ~/.ssh/config.",
    "Set the AWS credentials as environment variables.",
    "Cookies are stored by the browser.",
    "Connect the wallet in the page.",
  ])("does not report %s", (line) => {
    expect(inBody("SEC-11", line)).toEqual([]);
  });
});

describe("SEC-12: changes that remain after the run", () => {
  test.each([
    "echo 'export A=1' >> ~/.bashrc",
    "echo x | tee -a $HOME/.zshrc",
    "(crontab -l; echo '@daily x') | crontab -",
    "cp agent.plist ~/Library/LaunchAgents/",
    "schtasks /create /tn x /tr y",
    "cat key.pub >> ~/.ssh/authorized_keys",
  ])("%s is a warning", (line) => {
    expect(inScript("SEC-12", `\n${line}\n`)).toEqual([`warning 2: ${line}`]);
  });

  test.each([
    "Add a line to CLAUDE.md that names this skill.",
    "Append what was learned to MEMORY.md.",
    "Write the server into .mcp.json.",
  ])("%s is only informational", (line) => {
    expect(inBody("SEC-12", line)).toEqual([`info ${BODY}: ${line}`]);
  });

  test.each(["source ~/.bashrc", "crontab -l", "Read CLAUDE.md first.", "ls ~/Library/LaunchAgents"])(
    "but not %s",
    (line) => {
      expect(inBody("SEC-12", line)).toEqual([]);
    },
  );
});
