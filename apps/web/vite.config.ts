import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  // All addresses are relative, so that the page works below any path.
  base: "./",
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2023",
    // A data: address is nothing that the page's policy allows for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
});
