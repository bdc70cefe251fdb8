/**
 * The text with the arguments filled in: `$ARGUMENTS` is all that was written, `$1` to `$9` are its words (quotes hold
 * several together; one that is missing is empty). A text that asks for none gets them below, on lines of their own.
 * What was written is never looked through for placeholders itself.
 */
export function withArguments(text: string, given: string): string {
  const words = argumentWords(given);
  let asked = false;
  const filled = text.replace(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_whole, digit: string | undefined) => {
    asked = true;
    return digit === undefined ? given : (words[Number(digit) - 1] ?? "");
  });
  return asked || given === "" ? filled : `${filled}\n\n${given}`;
}

function argumentWords(given: string): readonly string[] {
  return [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
