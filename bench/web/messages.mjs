import { watchTasks } from "./main-thread.mjs";
import { EMPTY, pageHouse } from "./page-house.mjs";

const TURNS = 1000;

/** Scrolls through a conversation of 2,000 messages, and then a page that has nothing to do but to scroll. */
export async function measure() {
  const answer = `An answer with a list:\n\n${"- a point\n".repeat(5)}`;
  const house = await pageHouse([{ text: answer }]);
  try {
    const id = await house.server.conversation();
    for (let turn = 0; turn < TURNS; turn++) await (await house.server.say(id)).text();
    const page = await house.open(`#/c/${id}`);
    await page.getByRole("article").first().waitFor();
    const mounted = () => page.getByRole("article").count();
    await page.getByRole("log", { name: "Messages" }).hover();
    let most = await mounted();
    const tasks = await watchTasks(page);
    for (let times = 0; times < 60; times++) {
      await page.mouse.wheel(0, -1500);
      most = Math.max(most, await mounted());
    }
    const ours = await tasks();
    const empty = await house.open(EMPTY);
    await empty.setContent(`<div style="height: 300000px"></div>`);
    await empty.evaluate("scrollTo(0, 300000)");
    const bare = await watchTasks(empty);
    for (let times = 0; times < 60; times++) await empty.mouse.wheel(0, -1500);
    return `${inWords(ours)}, at most ${most} messages in the document; only scrolling: ${inWords(await bare())}`;
  } finally {
    await house.close();
  }
}

function inWords(
  /** @type {{ longestMs: number, longestCpuMs: number, over50: number }} */ {
    longestMs,
    longestCpuMs,
    over50,
  },
) {
  return `longest task ${longestMs} ms (${longestCpuMs} ms of CPU time), ${over50} over 50 ms`;
}
