import { app, signIn } from "./en/app.js";
import { approvals } from "./en/approvals.js";
import { calls, chat, composer } from "./en/chat.js";
import { conversations } from "./en/conversations.js";
import { files } from "./en/files.js";
import { operator } from "./en/operator.js";
import { previews } from "./en/previews.js";
import { runs } from "./en/runs.js";
import { skills } from "./en/skills.js";
import { ui } from "./en/ui.js";
import { workspace } from "./en/workspace.js";

/**
 * All English texts of the page, grouped by the areas of the page. Functions get numbers, sizes and dates already formatted. A text
 * that depends on a number has plural forms (see `counted`).
 */
export const en = {
  app,
  signIn,
  approvals,
  chat,
  composer,
  calls,
  conversations,
  files,
  operator,
  previews,
  runs,
  skills,
  workspace,
  ui,
};

/** The texts that every language must have. */
export type Texts = typeof en;
