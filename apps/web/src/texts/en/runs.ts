import { counted } from "../plural-forms.js";

export const runs = {
  isolation: "Isolation in force",
  peakMemory: "The most memory that its processes used at one time",
  upTo: (size: string) => `up to ${size}`,
  limits: (limits: string) => `Limits: ${limits}`,
  limit: {
    memory: (size: string) => `${size} of memory`,
    disk: (size: string) => `${size} on disk`,
    oneFile: (size: string) => `${size} in one file`,
    processes: counted({ one: "# process", other: "# processes" }),
    openFiles: counted({ one: "# open file", other: "# open files" }),
    cores: (number: string) => (number === "1" ? "1 core" : `${number} cores`),
  },
  output: "Output",
  nothing: "It printed nothing.",
  nothingYet: "Nothing printed yet.",
  ofResult: ", as the result has them; the server keeps no log of this command",
  save: "Save the log",
  leftOut: (lines: string) => `… ${lines} lines are left out here. The downloaded log has them.`,
  cut: (line: string) => `${line} … (cut here)`,
  dropped: (bytes: string, stream: string) =>
    `${bytes} bytes of ${stream} were not kept: it printed more, or faster, than is kept.`,
  droppedInFile: (bytes: number, stream: string) => `[${bytes} bytes of ${stream} were not kept]`,
  preparing: (step: string | undefined) => `Preparing: ${step}`,
};
