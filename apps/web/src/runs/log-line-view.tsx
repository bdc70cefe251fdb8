import Anser from "anser";
import { memo } from "react";
import { type LogLine, shownPart } from "./log-lines.js";

interface LogLineViewProps {
  readonly line: LogLine | undefined;
  readonly top: number;
  readonly height: number;
}

/** One line with its colours. Everything in it is text. */
export const LogLineView = memo(function LogLineView({ line, top, height }: LogLineViewProps) {
  if (!line) return null;
  const look = { stdout: "", stderr: "border-l-2 border-[#e3b341]", note: "text-term-soft italic" }[
    line.stream
  ];
  return (
    <div
      className={`absolute inset-x-0 px-3 leading-[19px] whitespace-pre ${look}`}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <bdi>{coloured(line)}</bdi>
    </div>
  );
});

function coloured({ text: printed, colours }: LogLine) {
  const text = shownPart(printed);
  if (colours === "" && !text.includes("\u001b")) return text || " ";
  return Anser.ansiToJson(`${colours}${text}`, { use_classes: true, remove_empty: true }).map(
    ({ content, fg, bg, decorations }, index) => (
      <span
        key={index}
        className={[fg && `${fg}-fg`, bg && `${bg}-bg`, ...decorations.map((one) => DECORATIONS[one])]
          .filter(Boolean)
          .join(" ")}
      >
        {content}
      </span>
    ),
  );
}

const DECORATIONS: Readonly<Record<string, string>> = {
  bold: "font-bold",
  dim: "opacity-75",
  italic: "italic",
  underline: "underline",
  strikethrough: "line-through",
  reverse: "bg-term-ink text-term",
};
