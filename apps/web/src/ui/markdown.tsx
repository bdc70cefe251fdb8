import { memo, type ReactElement } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { texts } from "../texts/index.js";

/** Text of a model or a file as Markdown. HTML in it is shown as text, and nothing is loaded from anywhere. */
export const Markdown = memo(function Markdown({ text, isGrowing = false }: MarkdownProps) {
  return (
    <div className="prose" dir="auto">
      {isGrowing ? parsed(text) : parsedOnce(text)}
    </div>
  );
});

interface MarkdownProps {
  readonly text: string;
  /** True while the text is still being received. What is parsed of it is not kept then. */
  readonly isGrowing?: boolean;
}

/** Parses a text that will come into view. */
export function parseAhead(text: string): void {
  parsedOnce(text);
}

/** The texts that were parsed last, so that a message that comes into view again is not parsed again. */
const results = new Map<string, ReactElement>();
const MOST_RESULTS = 500;

function parsedOnce(text: string): ReactElement {
  const result = results.get(text) ?? parsed(text);
  results.set(text, result);
  const [oldest] = results.keys();
  if (results.size > MOST_RESULTS && oldest !== undefined) results.delete(oldest);
  return result;
}

/** A function of the text: it has no state and no hooks. */
function parsed(text: string): ReactElement {
  return ReactMarkdown({ children: text, remarkPlugins: PLUGINS, components: COMPONENTS });
}

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ alt, src }) => (
    <span className="rounded border border-line px-1.5 py-0.5 text-sm text-soft">
      {texts.ui.picture(alt || (typeof src === "string" ? src : ""))}
    </span>
  ),
  // They scroll, also by keys.
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    <section className="table-box" tabIndex={0} aria-label={texts.ui.table}>
      <table>{children}</table>
    </section>
  ),
};
