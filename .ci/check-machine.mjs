/** Installs what the tests need of the operating system where it is absent, then holds that it is there and works. */
import { checks } from "../scripts/checks.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/** Debian's package for each command, and a run of the command that shows that it works here. */
const tools = [
  { name: "git", aptPackage: "git", tries: ["git", "--version"] },
  { name: "bash", aptPackage: "bash", tries: ["bash", "-c", "true"] },
  // The system's own: a sandbox does not see one that lies in a home directory.
  { name: "python3", aptPackage: "python3", tries: ["/usr/bin/python3", "-c", "import json, decimal"] },
  // A sandbox as the runtime makes it: its own processes, its own network, the system read-only.
  {
    name: "bubblewrap",
    aptPackage: "bubblewrap",
    tries: [
      "bwrap",
      "--unshare-all",
      "--die-with-parent",
      "--ro-bind",
      "/",
      "/",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "/bin/true",
    ],
  },
];

const absent = [];
for (const tool of tools) if (!(await works(tool))) absent.push(tool.aptPackage);
if (absent.length > 0) await installWithApt(absent);

const { check, close } = checks();
for (const { name, tries } of tools) {
  const [command = "", ...args] = tries;
  await check(`${name} is there and works`, () => runCommand(command, args));
}
close();

function works({ tries: [command, ...args] }) {
  return runCommand(command, args).then(
    () => true,
    () => false,
  );
}

async function installWithApt(packages) {
  console.log(`Installing ${packages.join(", ")} with apt-get`);
  if (process.getuid?.() !== 0) {
    console.log(
      `This is not root, so nothing is installed. What to do: sudo apt-get install ${packages.join(" ")}`,
    );
    return;
  }
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = async () => {
    await runCommand("apt-get", ["update", "-q"], { env });
    await runCommand("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
  };
  // A mirror may be busy for a moment: once more, then the checks tell what is still missing.
  await install().catch(() => install().catch((error) => console.log(error.message)));
}
