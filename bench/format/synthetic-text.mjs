const english =
  "reads writes checks converts tables reports invoices tests images sheets pages code reviews and with from into when the user asks for data files release notes charts".split(
    " ",
  );
const accented = "données café prüft größe résumé über señal coração".split(" ");
const chinese = "处理 表格 报告 检查 数据 文件 生成 图像 转换 测试".split(" ");

/** Words of about so many characters, without anything that YAML parses as more than text. */
export function words(random, length, script = "english") {
  const list = { english, accented: [...english, ...accented], chinese }[script];
  let text = random.pick(list);
  while (text.length < length) text += ` ${random.pick(list)}`;
  return text;
}

/** A Markdown body of about so many characters: headings, prose, lists, often a code fence, sometimes a thematic break. */
export function markdownBody(random, length) {
  const fence = random.chance(0.78);
  const rule = random.chance(0.3);
  const blocks = ["# Skill"];
  let size = 0;
  while (size < length) {
    const block = random.pick([
      () => `## ${words(random, 20)}`,
      () => words(random, 300),
      () => Array.from({ length: 4 }, () => `- ${words(random, 60)}`).join("\n"),
      () => (fence ? `\`\`\`bash\npython scripts/run.py --input ${words(random, 8)}\n\`\`\`` : "Then go on."),
      () => (rule ? "---" : "See references/guide.md."),
    ])();
    blocks.push(block);
    size += block.length + 2;
  }
  return blocks.join("\n\n");
}
