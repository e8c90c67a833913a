import { type ComponentChildren } from 'preact';
import {
  Clock,
  DemoTag,
  StaffLanguageButton,
  LockButton,
  ConnectionWarning,
  SignedInPerson,
} from '../../kit/components/topBar.tsx';
import { ClauseDialog, openCitedClauses, shownClauses } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { type OfficeRoute, matchOfficePage, tabsForSession } from '../pages.ts';
import { lockConsole } from '../../app/session.ts';
import { followLink, navigate, currentPath } from '../../app/router.ts';
import { staffSession } from '../../app/state.ts';

const isTextTarget = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** True when the last key was G. Each page has a `PageFrame` of its own, so the flag is kept outside of it. */
let isPrefixed = false;

/**
 * Keys of every office page: G and a letter open a page, `?` opens the clause dialog, Escape closes it, and Z locks the
 * console.
 */
function useTabKeys(tabs: readonly OfficeRoute[]): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape' && shownClauses.value.length > 0) {
      shownClauses.value = [];
      event.stopImmediatePropagation();
      return;
    }
    if (isTextTarget(event.target)) return;
    const key = event.key.toUpperCase();
    if (isPrefixed) {
      isPrefixed = false;
      const tab = tabs.find((signedIn) => signedIn.key === key);
      if (tab) {
        event.preventDefault();
        event.stopImmediatePropagation();
        navigate(tab.path);
      }
      return;
    }
    if (key === 'G') isPrefixed = true;
    else if (key === '?') openCitedClauses();
    else if (key === 'Z') lockConsole();
  }, true);
}

type Props = {
  /** CSS class that lays out the page. */
  readonly name: string;
  readonly title?: string;
  /** Content between the tabs and the clock, such as a search field. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** Frame of an office page: the top bar with the tabs of the role, the connection warning, and the page. */
export function PageFrame({ name, title, tools, children }: Props) {
  const t = kitStrings();
  const signedIn = staffSession.value;
  const tabs = signedIn === null ? [] : tabsForSession(signedIn);
  const currentPage = matchOfficePage(currentPath.value)?.page;
  useTabKeys(tabs);
  const isParent = (tab: OfficeRoute): boolean =>
    currentPage !== undefined && `${currentPage.path}/`.startsWith(`${tab.path}/`);
  const activeTab = tabs.filter(isParent).toSorted((a, b) => b.path.length - a.path.length)[0];
  return (
    <>
      <header class="top" onClick={followLink}>
        <span class="name">{title ?? t.nav[currentPage?.name ?? ''] ?? 'Punto'}</span>
        <nav class="tabs" aria-label={t.nav['floor']}>
          {tabs.map((tab) => (
            <a
              key={tab.name}
              href={tab.path}
              class={tab === activeTab ? 'on' : ''}
              {...(tab === activeTab && { 'aria-current': 'page' })}
            >
              {t.nav[tab.name]}
              <KeyCap>{`G ${tab.key!}`}</KeyCap>
            </a>
          ))}
        </nav>
        {tools}
        <span class="grow" />
        <DemoTag />
        <Clock />
        <StaffLanguageButton />
        <SignedInPerson />
        <LockButton lock={lockConsole} />
      </header>
      <ConnectionWarning />
      <main class={`page ${name}`} onClick={followLink}>
        {children}
      </main>
      <ClauseDialog />
    </>
  );
}
