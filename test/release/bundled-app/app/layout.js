import { createElement } from "react";

export default function Layout({ children }) {
  return createElement("html", undefined, createElement("body", undefined, children));
}
