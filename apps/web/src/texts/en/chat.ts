import { counted } from "../plural-forms.js";

export const chat = {
  messages: "Messages",
  toNewest: "To the newest message",
  answer: "Answer",
  yourMessage: "Your message",
  edit: "Edit and send again",
  editedMessage: "The message",
  editConsequence: "What followed this message is removed. Files and artifacts stay as they are.",
  cancel: "Cancel",
  sendAgain: "Send again",
  tryAgain: "Try again",
  tryAgainConsequence:
    "Sends your message again. This answer is removed; files and artifacts stay as they are.",
  modelCalls: counted({ one: "# model call", other: "# model calls" }),
  begin: "What shall be done?",
  skillsOfAgent: counted({
    one: "The agent has # skill. Add files, and see every step that it takes.",
    other: "The agent has # skills. Add files, and see every step that it takes.",
  }),
  withoutSkills: "Add files, and see every step that the agent takes.",
  queued: "Queued messages",
  afterThisTurn: "after this turn",
  takeBack: "Take back",
  hasBegun: "It was not taken back: its turn has begun.",
  notTakenBack: (reason: string) => `It was not taken back: ${reason}`,
};

export const composer = {
  message: "Message",
  hint: "Ask, or say what to do with your files",
  hintWhileBusy: "Say what shall be done after this turn",
  hintWhileParked: "A question above waits for your answer; what you send waits for it",
  send: "Send",
  sendAfterTurn: "Send after this turn",
  sendAfterAnswer: "Send after the answer",
  stop: "Stop",
  stopping: "Stopping",
  notStopped: (reason: string) => `It was not stopped: ${reason}`,
  addFiles: "Add files",
  filesToAdd: "Files to add",
};

export const calls = {
  step: (title: string) => `Step: ${title}`,
  outcomes: {
    running: "Running",
    waiting: "Waiting for an approval",
    done: "Done",
    failed: "Failed",
    stopped: "Stopped",
  },
  timedOut: "timed out",
  exit: (code: number | undefined) => `exit ${code}`,
  diagnostics: "Diagnostics",
  runWith: (skill: string) => `Run with ${skill}`,
  runWithSome: "Run with a skill",
  runInWorkspace: "Run in the workspace",
  loadSkill: (skill: string) => `Load the skill ${skill}`,
  loadSome: "Load the skill",
  input: "Input",
  result: "Result",
  moreCharacters: counted({ one: "… # more character", other: "… # more characters" }),
};
