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

/** Busybox with all of its commands and nothing else, of Debian's `busybox-static`. */
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
  // Debian builds its busybox without it, and the runtimes' contract starts a daemon by it.
  const nohup = `${root}/bin/nohup`;
  if (!existsSync(nohup)) writeFileSync(nohup, "#!/bin/sh\ntrap '' HUP\nexec \"$@\"\n", { mode: 0o755 });
}

/** Busybox and, as `/bin/bash`, Debian's `bash-static`. */
export function bashTree(root) {
  busyboxTree(root);
  const bash = ["/usr/bin/bash-static", "/bin/bash-static"].find((path) => existsSync(path));
  if (!bash) throw new Error("There is no bash-static. What to do: apt-get install bash-static");
  rmSync(`${root}/bin/bash`, { force: true });
  cpSync(realpathSync(bash), `${root}/bin/bash`);
}

/** As `bashTree`, without some of the commands that workspaces need; busybox's own shell has them built in, so it is no shell here. */
export function toollessTree(root) {
  bashTree(root);
  rmSync(`${root}/bin/sh`);
  symlinkSync("bash", `${root}/bin/sh`);
  for (const command of ["find", "stat", "tar"]) rmSync(`${root}/bin/${command}`);
}

/** Nothing that could run: one text file. */
export function shellessTree(root) {
  mkdirSync(`${root}/etc`);
  writeFileSync(`${root}/etc/passwd`, users);
}
