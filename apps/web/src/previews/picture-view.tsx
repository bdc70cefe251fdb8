import { useEffect, useState } from "react";
import { texts } from "../texts/index.js";
import { Notice } from "../ui/notice.js";

export default function PictureView({
  bytes,
  type,
  name,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly name: string;
}) {
  const [address, setAddress] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  if (isBroken) return <Notice>{texts.previews.brokenPicture}</Notice>;
  return (
    <div className="flex h-full items-center justify-center overflow-auto p-4">
      <img src={address} alt={name} onError={() => setBroken(true)} className="max-h-full max-w-full" />
    </div>
  );
}
