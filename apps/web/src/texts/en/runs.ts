export const runs = {
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
