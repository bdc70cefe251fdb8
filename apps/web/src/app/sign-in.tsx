import { KeyRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { keepToken } from "../api/token.js";
import { texts } from "../texts/index.js";
import { Button } from "../ui/button.js";

/** Asks for the token that the server prints at its start. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const [given, setGiven] = useState("");
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keepToken(given);
    setTried(true);
    onDone();
  };
  return (
    <main className="flex h-full items-center justify-center p-4">
      <form
        onSubmit={submit}
        className="w-full max-w-sm space-y-4 rounded-xl border border-line bg-raised p-6 shadow-sm"
      >
        <div className="flex items-center gap-3">
          <KeyRound className="size-6 text-accent" aria-hidden="true" />
          <h1 className="text-lg font-semibold">{texts.signIn.title}</h1>
        </div>
        <p className="text-sm text-soft">{texts.signIn.explanation}</p>
        <label className="block space-y-1 text-sm">
          <span className="font-medium">{texts.signIn.token}</span>
          <input
            type="password"
            autoComplete="current-password"
            value={given}
            onChange={({ target }) => setGiven(target.value)}
            className="w-full rounded-lg border border-line bg-page px-3 py-2 font-mono"
          />
        </label>
        {isTried && (
          <p role="alert" className="text-sm text-bad">
            {texts.signIn.unknownToken}
          </p>
        )}
        <Button type="submit" look="main" className="w-full" disabled={given.trim() === ""}>
          {texts.signIn.submit}
        </Button>
      </form>
    </main>
  );
}
