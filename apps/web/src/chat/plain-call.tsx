import { texts } from "../texts/index.js";
import { Markdown } from "../ui/markdown.js";
import { count } from "../ui/words.js";
import type { CallBlock } from "./message-blocks.js";

const MOST = 20_000;

/** Input and result of a call that runs no command. */
export function PlainCall({ call: { tool, input, output } }: { readonly call: CallBlock }) {
  const isText = typeof output === "string";
  const isMarkdown = isText && tool.startsWith("skill_") && output.length < MOST;
  return (
    <div className="space-y-2 border-t border-line px-3 py-2 text-sm">
      <Json title={texts.calls.input} of={input} />
      {output !== undefined && (
        <div>
          <p className="text-xs text-soft">{texts.calls.result}</p>
          {isMarkdown ? (
            <div tabIndex={0} className="max-h-96 overflow-auto rounded-lg bg-panel p-3 text-sm">
              <Markdown text={output} />
            </div>
          ) : (
            <Block text={isText ? output : JSON.stringify(output, undefined, 2)} />
          )}
        </div>
      )}
    </div>
  );
}

function Json({ title, of }: { readonly title: string; readonly of: unknown }) {
  return (
    <div>
      <p className="text-xs text-soft">{title}</p>
      <Block text={JSON.stringify(of, undefined, 2) ?? ""} />
    </div>
  );
}

function Block({ text }: { readonly text: string }) {
  const cut = text.length > MOST;
  return (
    <pre
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-lg bg-panel p-2 font-mono text-xs whitespace-pre-wrap"
    >
      {cut ? `${text.slice(0, MOST)}\n${count(text.length - MOST, texts.calls.moreCharacters)}` : text}
    </pre>
  );
}
