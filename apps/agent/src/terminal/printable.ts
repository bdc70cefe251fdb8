/** Text from a command or a model, without what could move the cursor or change the terminal. Line ends stay. */
export function printable(text: string): string {
  return (
    text
      .replace(/\r\n?/g, "\n")
      .replace(/\t/g, "  ")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
      .replace(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "")
  );
}
