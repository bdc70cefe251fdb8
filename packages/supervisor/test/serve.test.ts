import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { runStream } from "../src/index.js";
import { connected, ownDirectory, reportOf, served, shell, started } from "./served.js";
import { otherUser, ownProgram } from "./supervised.js";

if (hasAll("supervisor"))
  describe("a supervisor that serves hosts over a socket", () => {
    test("runs a command with the given variables, without input, and tells its streams and its end", async () => {
      const { stream } = await connected((await served()).socket);
      const run = shell(stream, 'cat; echo "$A $HOME"; echo err >&2; exit 4', { variables: { A: "1" } });
      expect(await run.ended).toEqual({ how: "exit", number: 0 });
      expect([run.text(1), run.text(2)]).toEqual(["1 \n", "err\n"]);
      expect(reportOf(run)).toMatchObject({ begun: true, ended: { how: "exit", number: 4 }, gone: true });
    });

    test("carries many runs of several hosts at once, each with its own bytes", async () => {
      const { socket } = await served();
      const hosts = await Promise.all([1, 2, 3].map(() => connected(socket)));
      const runs = hosts.flatMap(({ stream }, host) =>
        Array.from({ length: 8 }, (_, index) => {
          const name = `${host}-${index}`;
          const run = shell(stream, `read line; for i in {1..2000}; do echo "$line"; done`, {
            inputs: [0, 4],
          });
          void run.command.write(0, Buffer.from(`${name}\n`));
          return { ...run, name };
        }),
      );
      for (const { ended, text, name } of runs) {
        expect(await ended).toBeDefined();
        expect(text(1) === `${name}\n`.repeat(2000)).toBe(true);
      }
    });

    test("passes on input of any size at the pace of the command, and others are not held up by it", async () => {
      const { stream } = await connected((await served()).socket);
      const slow = shell(stream, "read -n1; wc -c", { inputs: [0, 4] });
      const bytes = Buffer.alloc(3_000_000, "x");
      let isSent = false;
      const sent = slow.command.write(0, bytes).then(() => {
        isSent = true;
        slow.command.end(0);
      });
      const stuck = shell(stream, "exec sleep 600", { inputs: [0, 4] });
      stuck.command.write(0, bytes).catch(() => undefined);
      const other = shell(stream, "echo other");
      await other.ended;
      expect(other.text(1)).toBe("other\n");
      await sent;
      await slow.ended;
      expect([isSent, slow.text(1)]).toEqual([true, `${bytes.length - 1}\n`]);
      await stuck.command.write(4, Buffer.from("end\n"));
      await stuck.ended;
    });

    test("keeps output of any size in order for a host that reads slowly", async () => {
      const { stream, host } = await connected((await served()).socket);
      host.stdout?.pause();
      const run = shell(stream, "head -c 5000000 /dev/zero; echo last");
      const other = await connected(join((await served()).socket));
      await shell(other.stream, "true").ended;
      host.stdout?.resume();
      await run.ended;
      expect(run.text(1).length).toBe(5_000_005);
      expect(run.text(1).endsWith("last\n")).toBe(true);
    });

    test("refuses further input of a command that stopped reading, and goes on", async () => {
      const { stream } = await connected((await served()).socket);
      const run = shell(stream, "exec 0<&-; echo closed; read -u 9 line 9<>/dev/null; sleep 600", {
        inputs: [0, 4],
      });
      await expect(run.command.write(0, Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: "CLOSED" });
      await run.command.write(4, Buffer.from("end\n"));
      await run.ended;
    });

    test("ends the runs of a host that is gone, with everything they started", async () => {
      const { socket, directory } = await served();
      const { stream, host } = await connected(socket);
      const run = shell(stream, `(setsid sleep 600 & echo $!; wait) > "${directory}/pid"`);
      await expect
        .poll(() => existsSync(`${directory}/pid`) && statSync(`${directory}/pid`).size)
        .toBeGreaterThan(0);
      const pid = readFileSync(`${directory}/pid`, "utf8").trim();
      host.kill("SIGKILL");
      expect(await run.ended).toBeUndefined();
      await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
      const after = await connected(socket);
      expect(await after.stream.notes()).toEqual([]);
    });

    test("tells every host the notes of runs in progress, and shares a memo", async () => {
      const { socket } = await served();
      const [one, two] = [await connected(socket), await connected(socket)];
      const run = shell(one.stream, "sleep 600", { note: '{"cpu":1}' });
      shell(one.stream, "sleep 600");
      await expect.poll(() => two.stream.notes()).toEqual(['{"cpu":1}']);
      await one.stream.setMemo("held");
      expect(one.stream.memo()).toBe("held");
      await expect.poll(() => two.stream.memo()).toBe("held");
      expect((await connected(socket)).stream.memo()).toBe("held");
      await run.command.write(4, Buffer.from("end\n"));
      await run.ended;
      expect(await two.stream.notes()).toEqual([]);
    });

    test("signals the group of the command, and ends the tree at once on request", async () => {
      const { stream } = await connected((await served()).socket);
      const run = shell(stream, "trap 'echo caught' TERM; echo ready; while :; do sleep 0.01; done");
      await expect.poll(() => run.text(1)).toBe("ready\n");
      await run.command.write(4, Buffer.from("signal 15\n"));
      await expect.poll(() => run.text(1)).toBe("ready\ncaught\n");
      await run.command.write(4, Buffer.from("end\n"));
      await run.ended;
      expect(reportOf(run)).toMatchObject({ ended: { how: "signal", number: 9 }, gone: true });
    });

    test("tells a host what was wrong with its command, and ends the connection of one that breaks the protocol", async () => {
      const { socket } = await served();
      const { stream } = await connected(socket);
      const run = started(stream, { arguments: ["run", "--unknown"] });
      expect(await run.ended).toEqual({ how: "exit", number: 125 });
      expect(run.text(2)).toContain("--unknown");
      const other = spawn(ownProgram, ["connect", "--socket", socket], {
        stdio: ["pipe", "ignore", "inherit"],
      });
      other.stdin.on("error", () => undefined).write(Buffer.from("X\0\0\0\0\0\0\0\0"));
      expect(await once(other, "exit")).toEqual([0, null]);
      expect(() => stream.start({ arguments: ["run", "a\0b"], onBytes: () => undefined })).toThrow(
        /null character/,
      );
      await shell(stream, "true").ended;
    });

    if (otherUser.length > 0)
      test("serves no other user", async () => {
        const { socket, directory } = await served();
        chmodSync(directory, 0o777);
        const before = ["/usr/bin/setpriv", "--reuid", "65534", "--clear-groups"];
        await expect(connected(socket, { before })).rejects.toMatchObject({ code: "CLOSED" });
        chmodSync(socket, 0o777);
        await expect(connected(socket, { before })).rejects.toMatchObject({ code: "CLOSED" });
      });

    test("goes to a recorder that is there later, and ends with that connection", async () => {
      const path = join(ownDirectory(), "recorder");
      const server = spawn(ownProgram, ["serve", "--dial", path], { stdio: "inherit" });
      const ended = once(server, "exit");
      const recorder = createServer();
      const accepted = once(recorder, "connection");
      recorder.listen(path);
      const [socket] = await accepted;
      const write = async (bytes: Uint8Array) => void socket.write(bytes);
      const stream = await runStream({ input: socket, write, close: () => socket.destroy() });
      const run = shell(stream, "echo there");
      await run.ended;
      expect(run.text(1)).toBe("there\n");
      stream.close();
      expect(await ended).toEqual([0, null]);
      recorder.close();
    });

    test("serves the host that started it over an inherited socket, and ends with that", async () => {
      const server = spawn(ownProgram, ["serve", "--host", "3"], {
        stdio: ["ignore", "inherit", "inherit", "pipe"],
      });
      const ended = once(server, "exit");
      const socket = server.stdio[3] as Socket;
      const write = async (bytes: Uint8Array) => void socket.write(bytes);
      const stream = await runStream({ input: socket, write, close: () => socket.destroy() });
      const runs = [1, 2, 3].map((code) => shell(stream, `ls /proc/$$/fd; exit ${code}`));
      for (const [index, run] of runs.entries()) {
        await run.ended;
        expect(run.text(1)).toBe("0\n1\n2\n");
        expect(reportOf(run).ended).toEqual({ how: "exit", number: index + 1 });
      }
      const left = shell(stream, "exec sleep 600");
      await expect.poll(() => reportOf(left).begun).toBe(true);
      stream.close();
      expect(await ended).toEqual([0, null]);
      const { supervisor } = reportOf(left);
      await expect.poll(() => existsSync(`/proc/${supervisor}`)).toBe(false);
    });

    test("needs exactly one place where its hosts are", () => {
      for (const options of [[], ["--host", "3", "--dial", "/x"], ["--host", "9"]]) {
        const { status, stderr } = spawnSync(ownProgram, ["serve", ...options], {
          stdio: ["ignore", "ignore", "pipe", "ignore"],
          encoding: "utf8",
        });
        expect([status, stderr]).toEqual([125, expect.stringMatching(/--host/)]);
      }
    });
  });
