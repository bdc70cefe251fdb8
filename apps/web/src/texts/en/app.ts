export const app = {
  name: "Skillwright",
  closeList: "Close the list",
  openList: "Open the list",
  conversationsAndViews: "Conversations and views",
  views: "Views",
  signedInAs: (user: string) => `Signed in as ${user}`,
  connectionLost: "The server does not answer. What runs goes on there; this page tries again.",
  tryNow: "Try now",
  serverAnswered: (status: number) => `The server answered with ${status}.`,
  colours: (now: string, next: string) => `Colours: ${now}. Change to ${next}`,
  themes: { system: "system", light: "light", dark: "dark" },
};

export const signIn = {
  title: "Sign in to Skillwright",
  explanation:
    "The server prints an address with a token when it starts. Open that address, or paste the token here.",
  token: "Token",
  unknownToken: "The server does not know this token. A server that was started again has a new one.",
  submit: "Sign in",
};
