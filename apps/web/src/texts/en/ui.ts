import { counted } from "../plural-forms.js";

export const ui = {
  loading: "Loading…",
  picture: (name: string) => `Picture: ${name}`,
  table: "Table",
  file: counted({ one: "# file", other: "# files" }),
  line: counted({ one: "# line", other: "# lines" }),
  token: counted({ one: "# token", other: "# tokens" }),
  tokensInAndOut: (input: string, output: string) => `${input} in, ${output} out`,
  byteUnits: ["B", "kB", "MB", "GB", "TB"],
  milliseconds: (number: string) => `${number} ms`,
  seconds: (number: string) => `${number} s`,
  minutes: (minutes: string, seconds: string) => `${minutes} min ${seconds} s`,
};
