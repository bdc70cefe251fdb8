import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/request.js";
import { takeToken } from "./api/token.js";
import { App } from "./app/app.js";
import { applyTheme } from "./app/theme.js";
import { language } from "./texts/index.js";
import "./page.css";

document.documentElement.lang = language;
takeToken();
applyTheme();
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server has refused, it refuses again.
      retry: (count, error) => !(error instanceof ApiError) && count < 3,
      staleTime: 1000,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
