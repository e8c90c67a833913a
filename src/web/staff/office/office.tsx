import { type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isConsoleLocked } from '../app/session.ts';
import { LockScreen } from '../signin/lockScreen.tsx';
import { kitStrings } from '../kit/text/strings.ts';
import { staffSession } from '../app/state.ts';
import { currentPath } from '../app/router.ts';
import { TextPage } from './components/textPage.tsx';
import { type OfficeRoute, type PathParameters, mayOpenPage, matchOfficePage } from './pages.ts';

type LoadedPage = { readonly name: string; readonly Page: ComponentType<{ readonly params: PathParameters }> };

/** Shows the office page of the current path. While the session is locked, the lock screen covers it. */
export function OfficeRouter() {
  return (
    <>
      <CurrentPage />
      {isConsoleLocked() && <LockScreen />}
    </>
  );
}

function CurrentPage() {
  const t = kitStrings();
  const match = matchOfficePage(currentPath.value);
  const [loaded, setLoaded] = useState<LoadedPage>();
  const page: OfficeRoute | undefined = match?.page;
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      if (page === undefined) return;
      const { Page } = await page.load();
      if (isCurrent) setLoaded({ name: page.name, Page });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [page]);
  const signedIn = staffSession.value;
  if (match === undefined || page === undefined) return <TextPage text={t.noPage} />;
  if (signedIn !== null && !mayOpenPage(page, signedIn)) return <TextPage text={t.mayNot} />;
  if (loaded?.name !== page.name) return <TextPage text={t.loading} />;
  return <loaded.Page params={match.params} />;
}
