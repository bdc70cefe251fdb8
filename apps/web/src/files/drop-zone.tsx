import { Upload } from "lucide-react";
import { type DragEvent, type ReactNode, useState } from "react";
import { texts } from "../texts/index.js";
import { droppedFiles, type GivenFile } from "./dropped-files.js";

/** Takes files and folders that are dropped anywhere in it. */
export function DropZone({
  onFiles,
  children,
}: {
  readonly onFiles: (files: readonly GivenFile[]) => void;
  readonly children: ReactNode;
}) {
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button of the composer does the same by keys
    <div
      data-drop-zone=""
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        void droppedFiles(event.dataTransfer).then(onFiles);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-3 flex items-center justify-center rounded-2xl border-2 border-dashed border-accent bg-tint/90">
          <span className="flex items-center gap-2 font-medium text-accent">
            <Upload className="size-5" aria-hidden="true" />
            {texts.files.drop}
          </span>
        </div>
      )}
    </div>
  );
}
