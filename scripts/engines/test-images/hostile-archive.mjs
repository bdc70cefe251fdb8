/** A tar archive with entries that escape: above the root, absolute, through its own link, and a device. */
export function hostileArchive() {
  return Buffer.concat([
    entry("../../escaped", { content: "evil" }),
    entry("/etc/passwd", { content: "evil" }),
    entry("out/../../../escaped", { content: "evil" }),
    entry("out/link", { type: "2", target: "/etc" }),
    entry("out/link/passwd", { content: "evil" }),
    entry("out/hard", { type: "1", target: "/etc/shadow" }),
    entry("out/device", { type: "3" }),
    Buffer.alloc(1024),
  ]);
}

function entry(name, { type = "0", target = "", content = "" }) {
  const header = Buffer.alloc(512);
  const fields = /** @type {[number, string][]} */ ([
    [0, name],
    [100, "0004755\0"],
    [108, "0000000\0"],
    [116, "0000000\0"],
    [124, `${content.length.toString(8).padStart(11, "0")}\0`],
    [136, "00000000000\0"],
    [148, " ".repeat(8)],
    [156, type],
    [157, target],
    [257, "ustar\x0000"],
  ]);
  for (const [offset, text] of fields) header.write(text, offset, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}
