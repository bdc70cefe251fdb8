import "./dom-stand-ins.mjs";
// The library finds its worker if that is loaded beside it, and runs it in this thread.
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { characterMap } from "./character-maps.mjs";
import { InputError } from "./input-error.mjs";

/** Calls `work(pdf)` and returns its result with `notes`: what the library could not read, each once. */
export async function withPdf(bytes, path, work) {
  const warnings = new Set();
  const warn = console.warn;
  console.warn = (text) => warnings.add(String(text));
  const task = getDocument({
    data: bytes,
    cMapPacked: true,
    BinaryDataFactory: SkillData,
    useWorkerFetch: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
  });
  try {
    const pdf = await task.promise;
    return { ...(await work(pdf)), notes: notesOf(warnings) };
  } catch (error) {
    throw explained(error, path);
  } finally {
    console.warn = warn;
    await task.destroy();
  }
}

/** The places of the library's data files: the character maps are in the skill, fonts and decoders are only needed for drawing. */
class SkillData {
  async fetch({ kind, filename }) {
    if (kind === "cMapUrl") return characterMap(filename);
    throw new Error(NOT_NEEDED);
  }
}

const NOT_NEEDED = "only needed for drawing";
const SHOWN = 5;

function notesOf(warnings) {
  const told = [...warnings]
    .filter((text) => !text.includes(NOT_NEEDED))
    .map((text) => text.replace(/^Warning: /, ""));
  const rest = told.length - SHOWN;
  return rest > 0 ? [...told.slice(0, SHOWN), `${rest} more of the kind`] : told;
}

function explained(error, path) {
  if (error.name === "PasswordException")
    return new InputError(`${path} is protected by a password.`, "Ask for a copy saved without one.");
  if (error.name === "InvalidPDFException")
    return new InputError(`${path} is not a PDF, or a damaged one.`, "Ask for the file again.");
  return error;
}
