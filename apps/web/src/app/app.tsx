import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useConnection } from "../api/connection.js";
import { serverQuery } from "../api/queries.js";
import { ConversationView } from "../conversations/conversation-view.js";
import { OperatorView } from "../operator/operator-view.js";
import { SkillView } from "../skills/skill-view.js";
import { SkillsView } from "../skills/skills-view.js";
import { WorkspacesView } from "../workspace/workspaces-view.js";
import { ConnectionBanner } from "./connection-banner.js";
import { type Route, useRoute } from "./route.js";
import { SideBar } from "./side-bar.js";
import { SignIn } from "./sign-in.js";

/** The page: a list at the side and one view beside it. */
export function App() {
  const route = useRoute();
  const connection = useConnection();
  const [isListOpen, setListOpen] = useState(false);
  const { data: server, error, refetch } = useQuery(serverQuery);
  if (connection === "signed-out") return <SignIn onDone={() => void refetch()} />;
  return (
    <div className="flex h-full">
      <SideBar isOpen={isListOpen} onClose={() => setListOpen(false)} route={route} user={server?.user} />
      <div className="flex h-full min-w-0 flex-1 flex-col">
        {(connection === "lost" || error !== null) && <ConnectionBanner />}
        <View route={route} onList={() => setListOpen(true)} />
      </div>
    </div>
  );
}

function View({ route, onList }: { readonly route: Route; readonly onList: () => void }) {
  switch (route.view) {
    case "conversation":
      return <ConversationView key={route.id ?? "new"} id={route.id} onList={onList} />;
    case "skills":
      if (route.name === undefined) return <SkillsView onList={onList} />;
      return <SkillView key={route.name} name={route.name} onList={onList} />;
    case "workspaces":
      return <WorkspacesView conversation={route.conversation} onList={onList} />;
    case "operator":
      return <OperatorView onList={onList} />;
  }
}
