import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";

export const users = "root:x:0:0::/:/bin/sh\nskill:x:1000:1000::/ws:/bin/sh\n";
export const groups = "root:x:0:\nskill:x:1000:\n";

/** Only busybox with all of its commands, from Debian's `busybox-static`. */
export function busyboxTree(root) {
  for (const directory of ["bin", "usr/bin", "etc", "tmp", "proc", "sys", "dev", "ws"]) {
    mkdirSync(`${root}/${directory}`, { recursive: true });
  }
  chmodSync(`${root}/tmp`, 0o1777);
  writeFileSync(`${root}/etc/passwd`, users);
  writeFileSync(`${root}/etc/group`, groups);
  const busybox = ["/usr/bin/busybox", "/bin/busybox"].find((path) => existsSync(path));
  if (!busybox) throw new Error("There is no busybox. What to do: apt-get install busybox-static");
  cpSync(realpathSync(busybox), `${root}/bin/busybox`);
  for (const command of execFileSync(busybox, ["--list"], { encoding: "utf8" }).split("\n")) {
    if (command !== "" && command !== "busybox") symlinkSync("busybox", `${root}/bin/${command}`);
  }
  // Debian's busybox lacks it, and the contract of runtimes starts a daemon with it.
  const nohup = `${root}/bin/nohup`;
  if (!existsSync(nohup)) writeFileSync(nohup, "#!/bin/sh\ntrap '' HUP\nexec \"$@\"\n", { mode: 0o755 });
}

/** Busybox and Debian's `bash-static` as `/bin/bash`. */
export function bashTree(root) {
  busyboxTree(root);
  const bash = ["/usr/bin/bash-static", "/bin/bash-static"].find((path) => existsSync(path));
  if (!bash) throw new Error("There is no bash-static. What to do: apt-get install bash-static");
  rmSync(`${root}/bin/bash`, { force: true });
  cpSync(realpathSync(bash), `${root}/bin/bash`);
}

/** As `bashTree`, without some of the commands that workspaces need and without busybox's shell, which has them built in. */
export function toollessTree(root) {
  bashTree(root);
  rmSync(`${root}/bin/sh`);
  symlinkSync("bash", `${root}/bin/sh`);
  for (const command of ["find", "stat", "tar"]) rmSync(`${root}/bin/${command}`);
}

/** Only one text file, nothing executable. */
export function shellessTree(root) {
  mkdirSync(`${root}/etc`);
  writeFileSync(`${root}/etc/passwd`, users);
}
