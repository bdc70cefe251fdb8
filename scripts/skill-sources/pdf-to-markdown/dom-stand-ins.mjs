/**
 * PDF.js asks for these drawing classes when it is loaded. Reading text never draws, so empty ones do, and no native
 * canvas is needed. To be imported before PDF.js.
 */
for (const name of ["DOMMatrix", "ImageData", "Path2D"]) globalThis[name] ??= class {};
