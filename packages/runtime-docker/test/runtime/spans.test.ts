import { describe, expect, test } from "vitest";
import { recordedSpans } from "../../../core/test/recorded-spans.js";
import { dockerSubject } from "../docker-subject.js";
import { engines } from "../engine-setup/engines.js";
import { printed } from "./running.js";

const recorded = recordedSpans();

describe.each(await engines(["docker"]))("on $name", (engine) => {
  test("the Docker runtime has a span for operations on workspaces, and none for single files", async () => {
    await using subject = dockerSubject(engine);
    const { runtime } = subject;
    const made = await runtime.create("the-secret-id");
    expect(await printed(made, "echo the-secret-command")).toBe("the-secret-command");
    await made.list();
    await made.pause();
    await made.resume();
    await runtime.destroy("the-secret-id");
    await runtime.create("bad id").catch(() => undefined);
    const by = { runtime: "docker" };
    expect(recorded.ended()).toEqual([
      ["runtime.create", by],
      ["runtime.workspace.start", by],
      ["runtime.workspace.pause", by],
      ["runtime.workspace.resume", by],
      ["runtime.destroy", by],
      ["runtime.create", { ...by, "error.type": "INPUT_INVALID" }],
    ]);
    expect(recorded.text()).not.toContain("secret");
  });
});
