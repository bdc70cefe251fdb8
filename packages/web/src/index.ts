export { type LocalPage, localPage } from "./local-page.js";
export { PAGE_EVENT_LIMITS } from "./page-event-limits.js";
export { webPage } from "./web-page.js";
