import { type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isLocked } from '../app/session.ts';
import { Veil } from '../signin/lockScreen.tsx';
import { kitStrings } from '../kit/text/strings.ts';
import { session } from '../app/state.ts';
import { path } from '../app/router.ts';
import { Plain } from './parts/emptyPage.tsx';
import { type OfficePage, type Params, mayOpenPage, matchPage } from './pages.ts';

type Loaded = { readonly name: string; readonly Page: ComponentType<{ readonly params: Params }> };

/** Page of the current path, behind the lock screen while the session is locked. */
export function Office() {
  return (
    <>
      <Shown />
      {isLocked() && <Veil />}
    </>
  );
}

function Shown() {
  const t = kitStrings();
  const found = matchPage(path.value);
  const [shown, show] = useState<Loaded>();
  const page: OfficePage | undefined = found?.page;
  useEffect(() => {
    let isWanted = true;
    const load = async (): Promise<void> => {
      if (page === undefined) return;
      const { Page } = await page.load();
      if (isWanted) show({ name: page.name, Page });
    };
    void load();
    return () => {
      isWanted = false;
    };
  }, [page]);
  const one = session.value;
  if (found === undefined || page === undefined) return <Plain text={t.noPage} />;
  if (one !== null && !mayOpenPage(page, one)) return <Plain text={t.mayNot} />;
  if (shown?.name !== page.name) return <Plain text={t.loading} />;
  return <shown.Page params={found.params} />;
}
