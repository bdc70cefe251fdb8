// Shows foreign HTML in a frame without scripts. This document has an opaque origin and a policy of its own.
addEventListener("message", ({ data, source }) => {
  if (source !== parent || typeof data?.html !== "string") return;
  const frame = document.createElement("iframe");
  frame.title = "Content";
  frame.setAttribute("sandbox", "");
  frame.srcdoc = data.html;
  Object.assign(frame.style, { position: "fixed", inset: "0", width: "100%", height: "100%", border: "0" });
  document.body.replaceChildren(frame);
});
parent.postMessage("ready", "*");
