import { run } from "@skillwright/core/adapter";
import { describe, expect, it } from "vitest";
import { dockerSubject } from "../docker-subject.js";
import { engines } from "../engine-setup/engines.js";
import { command } from "../run/run-place.js";

describe.each(await engines(["docker"]))("gVisor beneath Docker, on $name", (engine) => {
  it("is the level of isolation, with what it does not hold as diagnostics (DOCK-09)", async () => {
    await using subject = dockerSubject(engine, { ociRuntime: "runsc" });
    const workspace = await subject.runtime.create("w1");
    const { isolation, limits, networkOff, diagnostics = [] } = await subject.runtime.capabilities();
    expect(isolation).toEqual({
      level: "gvisor",
      by: expect.stringMatching(/^docker [\d.]+, gVisor, runsc$/),
    });
    expect([...limits].sort()).toEqual(["fileBytes", "openFiles"]);
    expect(networkOff).toBe(true);
    expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      ...["gvisor.memory", "gvisor.processes", "gvisor.streams-by-name", "gvisor.long-paths"],
      ...["limit.fixed", "storage.memory"],
    ]);
    const result = await run(workspace, command("true"));
    expect(result.isolation).toEqual(isolation);
  });

  it("a run has the isolation of its container, whatever the process that attaches has measured in its own containers (DOCK-11)", async () => {
    await using plain = dockerSubject(engine, { ociRuntime: "runc" });
    await using gvisor = dockerSubject(engine, { ociRuntime: "runsc", namespace: plain.namespace });
    await plain.runtime.create("in-runc");
    await gvisor.runtime.create("in-gvisor");
    const levelOf = async ({ runtime }: typeof plain, id: string) => {
      const workspace = await runtime.attach(id);
      return workspace && (await run(workspace, command("true"))).isolation.level;
    };
    expect(await levelOf(gvisor, "in-runc")).toBe("container");
    expect(await levelOf(gvisor, "in-gvisor")).toBe("gvisor");
    expect(await levelOf(plain, "in-runc")).toBe("container");
    // This process has not measured in containers of runsc, so that it names the least isolation.
    expect(await levelOf(plain, "in-gvisor")).toBe("container");
    const inRunc = await gvisor.runtime.attach("in-runc");
    const limited = inRunc && run(inRunc, { ...command("true"), limits: { openFiles: 64 } });
    await expect(limited).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });

  it("refuses a number of processes, which it does not hold (DOCK-09)", async () => {
    await using subject = dockerSubject(engine, { processes: 64 });
    await expect(subject.runtime.create("w1")).rejects.toMatchObject({
      code: "UNSUPPORTED",
      details: { options: ["processes"] },
    });
    expect(await subject.other.list()).toEqual([]);
  });

  it("stops the container when a command needs more memory than it has, and the run reports that (DOCK-09)", async () => {
    await using subject = dockerSubject(engine, { memoryBytes: 128 * 2 ** 20, storage: "disk" });
    const workspace = await subject.runtime.create("w1");
    await workspace.put([{ path: "work/a", content: "kept" }]);
    // Doubles a text until no memory is left.
    const grows = "text=0123456789abcdef; while :; do text=$text$text; done";
    const result = await run(workspace, command(grows));
    expect(result).toMatchObject({ exitCode: 137, treeEnded: true });
    expect(result.diagnostics.map(({ code }) => code)).toContain("container.stopped");
    const again = await run(workspace, command("cat work/a"));
    expect(again.stdout.text).toBe("kept");
  });

  it("stops the container when commands start too many processes, and the run reports that (DOCK-09)", async () => {
    await using subject = dockerSubject(engine, { storage: "disk" });
    const workspace = await subject.runtime.create("w1");
    const result = await run(workspace, command(":(){ :|:& };: ; sleep 60"));
    expect(result).toMatchObject({ exitCode: 137, treeEnded: true });
    expect(result.diagnostics.map(({ code }) => code)).toContain("container.stopped");
    expect((await run(workspace, command("echo again"))).stdout.text).toBe("again\n");
  });

  it("removes a path longer than PATH_MAX (DOCK-09)", async () => {
    await using subject = dockerSubject(engine);
    const workspace = await subject.runtime.create("w1");
    // A path of PATH_MAX bytes at most can be named, so a second tree of that depth is moved to the end of the first.
    const half = Array.from({ length: 17 }, () => "d".repeat(200)).join("/");
    const { exitCode, stderr } = await run(
      workspace,
      command(`mkdir -p out/${half} work/${half} && mv work/${half.slice(0, 200)} out/${half}/`),
    );
    expect({ exitCode, stderr: stderr.text }).toEqual({ exitCode: 0, stderr: "" });
    expect(await workspace.remove?.("out/d".padEnd(204, "d"))).toBe(true);
    expect(await subject.runtime.destroy("w1")).toBe(true);
  });
});
