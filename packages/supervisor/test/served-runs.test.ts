import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { usageOf } from "../src/index.js";
import { whole } from "./recorded.js";
import { connected, ownDirectory, reportOf, served, shell, started } from "./served.js";
import { otherUser } from "./supervised.js";

if (hasAll("supervisor"))
  describe("a run over the stream of a host", () => {
    test("lets a recorded run go on without its host; another host follows it to its end", async () => {
      const { socket, directory } = await served();
      const first = await connected(socket);
      const attempt = join(directory, "records/place/one");
      const run = started(first.stream, {
        arguments: [
          ...["run", "--files", "--record", attempt, "--claim", "run", "--put", "5", "--lease", "60000"],
          ...["--output-bytes", "1000", "--session", "--", "/bin/bash", "-c"],
          `cat; echo $A; until [ -e "${directory}/go" ]; do sleep 0.01; done; echo on`,
        ],
        inputs: [5],
      });
      await run.command.write(
        5,
        files({ lease: "", input: "given\n", environment: whole(Buffer.from("A=1\0")) }),
      );
      await expect.poll(() => run.text(1)).toBe("started\n");
      first.host.kill("SIGKILL");
      await run.ended;
      const { stream } = await connected(socket);
      const follower = started(stream, {
        arguments: ["follow", "--record", join(directory, "records/place"), "--claim", "run"],
        inputs: [0],
      });
      await expect.poll(() => follower.text(1)).toContain("given\n");
      writeFileSync(join(directory, "go"), "");
      await follower.ended;
      expect(follower.text(1)).toMatch(/on\n.*gone\n.*over\n$/s);
      expect(follower.text(1)).toContain("given\n");
      expect(statSync(join(directory, "records")).mode & 0o777).toBe(0o700);
    });

    test("starts nothing where the files of a record are incomplete, and tells why they cannot be stored", async () => {
      const { socket, directory } = await served();
      const { stream } = await connected(socket);
      const put = (record: string, bytes: Uint8Array) => {
        const args = [
          "run",
          "--files",
          "--record",
          record,
          "--put",
          "5",
          "--",
          "/bin/touch",
          `${directory}/ran`,
        ];
        const run = started(stream, { arguments: args, inputs: [5] });
        run.command.write(5, bytes).then(
          () => run.command.end(5),
          () => undefined,
        );
        return run;
      };
      const part = put(join(directory, "part"), files({ lease: "", input: "given" }).subarray(0, -4));
      expect(await part.ended).toEqual({ how: "exit", number: 125 });
      expect(part.text(2)).toContain("incomplete");
      writeFileSync(join(directory, "file"), "");
      const failed = put(join(directory, "file/below"), files({ lease: "" }));
      await failed.ended;
      expect(failed.text(1)).toBe("failed put 20\n");
      const other = put(join(directory, "named"), files({ "../x": "" }));
      expect(await other.ended).toEqual({ how: "exit", number: 125 });
      expect(existsSync(`${directory}/ran`)).toBe(false);
    });

    test("turns a named report into the file of the record, and tells its process first", async () => {
      const { socket } = await served();
      const record = ownDirectory();
      const { stream } = await connected(socket);
      const run = started(stream, {
        arguments: [
          ...["run", "--files", "--report", "3", "--record", record, "--mask", "4", "--session"],
          ...["--", "/bin/echo", "secret"],
        ],
        inputs: [4],
      });
      const length = Buffer.from([6, 0, 0, 0]);
      void run.command.write(4, whole(Buffer.concat([length, Buffer.from("secret")])));
      run.command.end(4);
      await run.ended;
      expect(run.text(1)).toBe("recorded\nstarted\n");
      expect(run.text(3)).toMatch(/^supervisor \d+\n$/);
      const report = readFileSync(join(record, "report"), "utf8");
      expect(report).toMatch(
        /^protocol 2\nsupervisor \d+\nchild \d+\nbegun\nended exit 0\ntook \d+\ngone\n$/,
      );
      expect(report).toContain(run.text(3));
      expect(readFileSync(join(record, "stdout.0"), "latin1").slice(12)).toBe("***\n");
    });

    test("tells why a directory cannot be entered, and makes that of the run as its user", async () => {
      const { stream } = await connected((await served()).socket);
      const root = ownDirectory();
      chmodSync(root, 0o777);
      for (const name of ["in", "closed"]) mkdirSync(join(root, name));
      chmodSync(join(root, "closed"), 0o700);
      writeFileSync(join(root, "file"), "");
      symlinkSync("/etc", join(root, "out"));
      symlinkSync("/nowhere", join(root, "nowhere"));
      symlinkSync("in", join(root, "inner"));
      const failure = async (cwd: string, options: readonly string[] = []) => {
        const run = shell(stream, "pwd -P", {
          options: ["--within", root, "--cwd", join(root, cwd), ...options, ...otherUser],
        });
        await run.ended;
        const { failed } = reportOf(run);
        return failed ? `${failed.step} ${failed.errno}` : run.text(1).trim();
      };
      expect(await failure("inner")).toBe(join(root, "in"));
      expect(await failure("absent")).toBe("cwd 2");
      expect(await failure("file")).toBe("cwd 20");
      expect(await failure("out")).toBe("cwd 18");
      expect(await failure("nowhere")).toBe("cwd 18");
      if (otherUser.length > 0) expect(await failure("closed")).toBe("cwd 13");
      expect(await failure("in", ["--make", join(root, "run")])).toBe(join(root, "in"));
      if (otherUser.length > 0) expect(statSync(join(root, "run")).uid).toBe(65534);
      expect(await failure("in", ["--make", join(root, "run")])).toBe(join(root, "in"));
      expect(await failure("in", ["--make", join(root, "out")])).toBe("make 40");
      const none = shell(stream, "true", { options: ["--make", join(root, "absent/run")] });
      await none.ended;
      expect(reportOf(none)).toMatchObject({ unmade: 2, ended: { number: 0 } });
    });

    test("reports the counters that rose", async () => {
      const { socket, directory } = await served();
      const { stream } = await connected(socket);
      const file = join(directory, "events");
      writeFileSync(file, "low 3\noom_kill 1\nmax 4\n");
      const options = [
        "--count",
        `memory=${file}:oom_kill`,
        "--count",
        `tasks=${file}:max`,
        "--count",
        "no=/none:x",
      ];
      const run = shell(stream, `printf 'low 9\\noom_kill 2\\nmax 4\\n' > "${file}"`, { options });
      await run.ended;
      expect(reportOf(run).reached).toEqual(["memory"]);
    });

    test.each([
      [
        "version 2",
        "cgroup.procs",
        "--procs",
        { "memory.peak": "73400320\n", "cpu.stat": "usage_usec 1234500\nuser_usec 1\n" },
      ],
      [
        "version 1",
        "tasks",
        "--tasks",
        { "memory.max_usage_in_bytes": "73400320\n", "cpu.stat": "nr_periods 0\n" },
      ],
    ])(
      "RES-06: reports what a control group of %s counts of memory and CPU time",
      async (version, name, option, files) => {
        const { socket, directory } = await served();
        const { stream } = await connected(socket);
        writeFileSync(`${directory}/${name}`, "");
        const nothing = shell(stream, "true", { options: [option, `${directory}/${name}`] });
        await nothing.ended;
        expect(usageOf(reportOf(nothing))).toEqual({});
        for (const [file, text] of Object.entries(files)) writeFileSync(`${directory}/${file}`, text);
        const run = shell(stream, "true", { options: [option, `${directory}/${name}`] });
        await run.ended;
        const cpuMs = version === "version 2" ? { cpuMs: 1234.5 } : {};
        expect(usageOf(reportOf(run))).toEqual({ peakMemoryBytes: 73_400_320, ...cpuMs });
      },
    );

    test("sets the filter of a run itself", async () => {
      const { stream } = await connected((await served()).socket);
      const run = shell(stream, "unshare -U true && echo made; grep NoNewPrivs /proc/self/status", {
        options: ["--filter", "offline"],
        variables: { PATH: "/usr/bin:/bin" },
      });
      await run.ended;
      expect(run.text(1)).toBe("NoNewPrivs:\t1\n");
    });
  });

function files(entries: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts = Object.entries(entries).map(([name, content]) => [
    Uint8Array.of(name.length),
    Buffer.from(name),
    whole(Buffer.from(content)),
  ]);
  return Buffer.concat([...parts.flat(), Uint8Array.of(0)]);
}
