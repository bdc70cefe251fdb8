// A bare page with `useChat`: its stock transport, or with `?own` the one of this package.
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { turnTransport } from "../../src/client.js";

const { token, id } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const headers = { authorization: `Bearer ${token}` };
const stock = new DefaultChatTransport({
  ...{ api: "/v1/conversations", headers },
  prepareSendMessagesRequest: ({ id: chat, messages, api }) => ({
    api: `${api}/${chat}/turns`,
    body: { message: messages.at(-1) },
  }),
});
const own = turnTransport({ server: "/v1", headers });
const transport = location.search === "?own" ? own : stock;

function Page() {
  const { messages, sendMessage, status, stop } = useChat({ id, transport, resume: true });
  const [said, setSaid] = useState("");
  const texts = messages.map(
    ({ role, parts }) => `${role}: ${parts.map((part) => part.text ?? "").join("")}`,
  );
  return createElement(
    "main",
    null,
    createElement("input", { value: said, onChange: ({ target }) => setSaid(target.value) }),
    createElement(
      "button",
      { type: "button", id: "send", onClick: () => sendMessage({ text: said }) },
      "Send",
    ),
    createElement("button", { type: "button", id: "stop", onClick: () => stop() }, "Stop"),
    createElement(
      "button",
      { type: "button", id: "stop-turn", onClick: () => own.stop(id) },
      "Stop the turn",
    ),
    createElement("output", { id: "status" }, status),
    createElement("pre", { id: "messages" }, texts.join("\n")),
  );
}

createRoot(document.body.appendChild(document.createElement("div"))).render(createElement(Page));
