/**
 * `generateContent` of Gemini.
 *
 * @type {import("./scripted-model.mjs").Protocol}
 */
export const generateContent = {
  path: /:(generateContent|streamGenerateContent)$/,

  hear({ contents, systemInstruction, tools = [] }) {
    const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    const parts = contents.flatMap((content) => content.parts);
    return {
      text: JSON.stringify([systemInstruction, contents]),
      tools: declared.map(({ name, parameters, parametersJsonSchema }) => ({
        name,
        schema: parametersJsonSchema ?? parameters,
      })),
      results: parts.flatMap(({ functionResponse }) =>
        functionResponse ? [plain(functionResponse.response)] : [],
      ),
    };
  },

  answer(step, number) {
    const called = { id: `call_${number}`, name: step.tool, args: step.input };
    const part = step.tool ? { functionCall: called } : { text: step.text };
    const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
    return { candidates: [candidate], usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 } };
  },

  stream: (step, number) => [{ data: generateContent.answer(step, number) }],
};

function plain(response) {
  return typeof response.result === "string" ? response.result : JSON.stringify(response);
}
