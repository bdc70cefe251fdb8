import { watchTasks } from "./main-thread.mjs";
import { pageHouse } from "./page-house.mjs";

const BYTES = 20_000_000;
const LINE = "a line of output that is some eighty characters long, as they are, more or less";

/** A command prints 20 MB while somebody looks at it. */
export async function measure() {
  const house = await pageHouse([{ command: `yes '${LINE}' | head -c ${BYTES}` }, { text: "All of it." }]);
  try {
    const page = await house.open("");
    const message = page.getByRole("combobox", { name: "Message" });
    await message.fill("Print");
    const tasks = await watchTasks(page);
    const started = performance.now();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("All of it.").waitFor({ timeout: 300_000 });
    const seconds = (performance.now() - started) / 1000;
    const { longestMs, longestCpuMs } = await tasks();
    return `longest task ${longestMs} ms (${longestCpuMs} ms of CPU time), the turn ${seconds.toFixed(1)} s`;
  } finally {
    await house.close();
  }
}
