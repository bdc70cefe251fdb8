import { chmod, mkdtemp, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { measureIn } from "../../src/capabilities/measure-capabilities.js";
import { dockerRuntime } from "../../src/index.js";
import { engines, LOCAL_ENGINES } from "../engine-setup/engines.js";
import { containerPlace, told } from "./container-place.js";

const MEBIBYTE = 1024 * 1024;

describe.each(await engines(LOCAL_ENGINES))("a container, on $name", (subject) => {
  test("DOCK-07: is created with all restrictions, according to the engine", async () => {
    await using place = await containerPlace(subject, { memoryBytes: 512 * MEBIBYTE, processes: 128 });
    const { container, volume } = await place.make("w");
    const { HostConfig: host, Mounts: mounts } = await container.inspect();
    expect(host).toMatchObject({
      NetworkMode: "none",
      ReadonlyRootfs: true,
      Privileged: false,
      Memory: 512 * MEBIBYTE,
      MemorySwap: 512 * MEBIBYTE,
      PidsLimit: 128,
      NanoCpus: 1e9,
      OomScoreAdj: 500,
    });
    expect(["private", "shareable"]).toContain(host.IpcMode);
    expect(host.SecurityOpt?.join()).toMatch(/^no-new-privileges/);
    expect(["", "private"]).toContain(host.PidMode ?? "");
    const added = (host.CapAdd ?? []).map((name: string) => name.replace(/^CAP_/, ""));
    expect(["KILL", "SETGID", "SETUID"]).toEqual(expect.arrayContaining(added));
    expect(host.Devices ?? []).toEqual([]);
    expect(host.LogConfig?.Type).toBe("none");
    expect(host.RestartPolicy?.Name ?? "").toMatch(/^(no)?$/);
    expect(host.Binds ?? []).toEqual(expect.not.arrayContaining([expect.stringContaining("docker.sock")]));
    expect(mounts.filter(({ Type }) => Type === "bind")).toEqual([]);
    const volumes = mounts.filter(({ Type }) => Type === "volume");
    expect(volumes.map(({ Destination }) => Destination).sort()).toEqual(["/.skillwright", "/skillwright"]);
    expect(volumes.map(({ Name }) => Name)).toContain(volume);
  });

  test("DOCK-07: is restricted, as seen from inside by the run's user", async () => {
    await using place = await containerPlace(subject);
    const container = await place.make("w");
    const status = await told(container, "cat /proc/self/status");
    expect(status).toMatch(/^CapEff:\s0+$/m);
    // KILL, SETGID and SETUID, which only the supervisor gets; NoNewPrivs keeps commands from them.
    expect(status).toMatch(/^CapBnd:\s0+e0$/m);
    expect(status).toMatch(/^CapPrm:\s0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s1$/m);
    expect(status).toMatch(/^Seccomp:\s2$/m);
    expect(status).toMatch(/^Uid:\s1000\s1000\s1000\s1000$/m);
    expect(await told(container, "sed -n 's/^ *\\([^ :]*\\):.*/\\1/p' /proc/net/dev")).toBe("lo");
    for (const kind of ["ipc", "pid", "net", "mnt", "uts"])
      expect(await told(container, `readlink /proc/self/ns/${kind}`)).not.toBe(
        await readlink(`/proc/self/ns/${kind}`),
      );
    expect(await told(container, "ls /proc | grep -c '^[0-9]'")).toMatch(/^[1-9]$/);
    expect(await told(container, "ulimit -n; ulimit -c")).toBe("256\n0");
  });

  test("DOCK-07: forbidden actions are refused, and only its own directories are writable", async () => {
    await using place = await containerPlace(subject);
    const container = await place.make("w");
    const refused = [
      "mount -t tmpfs none /tmp",
      "mknod /tmp/device b 1 1",
      "chown 0:0 /skillwright/workspace/work",
      "kill -9 1",
      "cat /proc/1/environ",
      "ls /proc/1/root/",
      "ls /skillwright/meta",
      "ls /skillwright/incoming",
      "rm -f /.skillwright/supervisor /.skillwright/socket",
      "cat /.skillwright/socket",
      "timeout 2 /.skillwright/supervisor connect --socket /.skillwright/socket",
      "echo x > /proc/1/fd/1",
    ];
    for (const command of refused)
      expect(
        await told(container, `( ${command} ) >/dev/null 2>&1 && echo done || echo refused`),
        command,
      ).toBe("refused");
    const places =
      "/ /etc /usr/bin /bin /dev /run /var/tmp /.skillwright /skillwright /skillwright/workspace /skillwright/workspace/skills";
    const written = `for place in ${places}; do ( : > $place/x ) 2>/dev/null && echo $place; done; true`;
    expect(await told(container, written)).toBe("");
    const own = "/tmp /skillwright/workspace/work /skillwright/workspace/out /skillwright/workspace/runs";
    expect((await told(container, written.replace(places, own))).split("\n")).toEqual(own.split(" "));
    expect(
      await told(container, "cp /bin/busybox /tmp/echo && /tmp/echo x 2>/dev/null || echo refused"),
    ).toBe("refused");
  });

  test("storage in memory is limited in bytes and in files", async () => {
    await using place = await containerPlace(subject, { storageBytes: 8 * MEBIBYTE });
    const container = await place.make("w");
    const fill = "cd /skillwright/workspace/work; head -c 20000000 /dev/zero > big 2>/dev/null; wc -c < big";
    expect(Number(await told(container, fill))).toBeLessThanOrEqual(8 * MEBIBYTE);
    expect(await told(container, "df -i /skillwright | tail -n 1 | tr -s ' ' | cut -d ' ' -f 2")).toBe(
      "100000",
    );
  });

  test("shared memory is the container's own and limited to 64 MiB", async () => {
    await using place = await containerPlace(subject, { fileBytes: 256 * MEBIBYTE });
    const container = await place.make("w");
    const fill = "cd /dev/shm; head -c 100000000 /dev/zero > big 2>/dev/null; wc -c < big; rm big";
    const written = Number(await told(container, fill));
    expect(written).toBeGreaterThan(60 * MEBIBYTE);
    expect(written).toBeLessThanOrEqual(64 * MEBIBYTE);
  });

  test("a memory limit of more than 31 bits is passed on completely", async () => {
    await using place = await containerPlace(subject, { memoryBytes: 3 * 1024 * MEBIBYTE });
    const { container } = await place.make("w");
    expect((await container.inspect()).HostConfig.Memory).toBe(3 * 1024 * MEBIBYTE);
  });

  // The tests for gVisor are in gvisor.test.ts.
  if (subject.name !== "gvisor")
    test("capabilities are measured in a container, and tell which limits a run may request", async () => {
      await using place = await containerPlace(subject, { cpu: 0.5, processes: 64 });
      const container = await place.make("w");
      const { capabilities } = await measureIn(container, place.wish);
      const { limits, diagnostics, programs, ...others } = capabilities;
      expect(others).toEqual({
        isolation: { level: "container", by: expect.stringMatching(/^(docker|podman) \d+\.\d+/) },
        networkOff: true,
        endsTree: true,
        readOnlySkills: true,
      });
      expect(programs).toEqual(expect.arrayContaining(["bash", "busybox", "sh"]));
      expect(programs).not.toContain("python3");
      const fixed = diagnostics?.some(({ code }) => code === "limit.fixed") === true;
      const perRun = fixed ? [] : ["memoryBytes", "cpu", "processes"];
      expect(limits).toEqual([...perRun, "openFiles", "fileBytes"]);
      expect(diagnostics?.filter(({ severity }) => severity !== "info")).toEqual([]);
      // The measurement left it unchanged.
      expect((await container.container.inspect()).HostConfig.PidsLimit).toBe(64);
    });
});

describe.each(await engines(["docker", "podman"]))("a directory of skills, on $name", (subject) => {
  test("is mounted under its own path and is read-only", async () => {
    const directory = await mkdtemp(join(tmpdir(), "skillwright-skills-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, "SKILL.md"), "shown");
    await chmod(directory, 0o777);
    await using place = await containerPlace(subject, { skillsRoot: directory });
    const container = await place.make("w");
    expect(await told(container, `cat ${directory}/SKILL.md`)).toBe("shown");
    expect(await told(container, `( : > ${directory}/x ) 2>/dev/null || echo refused`)).toBe("refused");
  });

  test("is refused for a client passed in, whose engine may be on another machine", async () => {
    const directory = await mkdtemp(join(tmpdir(), "skillwright-skills-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const { engine } = await containerPlace(subject);
    const given = { client: engine.docker, image: subject.image, skillsRoot: directory };
    await using runtime = dockerRuntime(given);
    await expect(runtime.create("w")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/skillsRoot.*on another machine/),
    });
    await using local = dockerRuntime({ ...given, clientIsLocal: true });
    expect((await local.create("w")).id).toBe("w");
    await local.destroy("w");
    engine.close();
  });

  test("that does not exist is an error with its path, and leaves nothing behind", async () => {
    await using place = await containerPlace(subject, { skillsRoot: "/srv/skillwright-nowhere" });
    await expect(place.make("w")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/skillsRoot.*\/srv\/skillwright-nowhere.*does not exist/),
    });
    expect(await place.leftovers()).toEqual([]);
  });
});

describe.each(await engines(["tcp"]))("a directory of skills, on an engine elsewhere", (subject) => {
  test("is refused, because it would be that machine's", async () => {
    await using place = await containerPlace(subject, { skillsRoot: "/srv" });
    await expect(place.make("w")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/on another machine/),
    });
  });
});
