import { en, type Texts } from "./en.js";

/** The languages of the page by their BCP 47 tags. */
export const languages: Readonly<Record<string, Texts>> = { en };
