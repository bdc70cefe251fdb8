/**
 * Empty versions of the drawing classes that PDF.js needs when it is loaded. Reading text never draws, so no native
 * canvas is needed. Import this before PDF.js.
 */
for (const name of ["DOMMatrix", "ImageData", "Path2D"]) globalThis[name] ??= class {};
