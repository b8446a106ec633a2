import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../texts/texts.ts";
import { Empty, Loading } from "./notices.tsx";

/** Shows a view whose script is loaded when it is first needed. @param load the same function at every use */
export function LoadedView<Module>({
  load,
  view,
}: {
  readonly load: () => Promise<Module>;
  readonly view: (module: Module) => ComponentChildren;
}) {
  const [module, setModule] = useState<{ readonly loaded: Module }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isShown = true;
    load()
      .then((loaded) => isShown && setModule({ loaded }))
      .catch((error: unknown) => {
        console.error(error);
        if (isShown) setFailed(true);
      });
    return () => {
      isShown = false;
    };
  }, [load]);
  if (module !== undefined) return <>{view(module.loaded)}</>;
  if (!hasFailed) return <Loading />;
  return (
    <Empty title={texts.notLoaded.title}>
      <p>{texts.notLoaded.text}</p>
      <button type="button" onClick={() => location.reload()}>
        {texts.notLoaded.again}
      </button>
    </Empty>
  );
}
