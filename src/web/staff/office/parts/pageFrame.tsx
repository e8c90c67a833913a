import { type ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Clock, DemoTag, StaffLanguageKey, LockKey, LostBar, SignedInPerson } from '../../kit/components/topBar.tsx';
import { ClauseWords, openAllClauses, openClauses } from '../../kit/components/clauseTag.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { type OfficePage, matchPage, tabsFor } from '../pages.ts';
import { lockConsole } from '../../app/session.ts';
import { follow, go, path } from '../../app/router.ts';
import { session } from '../../app/state.ts';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** G and a letter open a page, `?` opens the clauses on screen, Escape closes them. */
function usePageKeys(tabs: readonly OfficePage[]): void {
  const isLed = useRef(false);
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape' && openClauses.value.length > 0) {
      openClauses.value = [];
      event.stopImmediatePropagation();
      return;
    }
    if (isWriting(event.target)) return;
    const key = event.key.toUpperCase();
    if (isLed.current) {
      isLed.current = false;
      const tab = tabs.find((one) => one.key === key);
      if (tab) {
        event.preventDefault();
        event.stopImmediatePropagation();
        go(tab.at);
      }
      return;
    }
    if (key === 'G') isLed.current = true;
    else if (key === '?') openAllClauses();
    else if (key === 'Z') lockConsole();
  }, true);
}

type Form = {
  /** CSS class of the page, which lays it out. */
  readonly name: string;
  readonly title?: string;
  /** Content between the tabs and the clock, such as a search field. */
  readonly find?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** Frame of an office page: top bar with the tabs of the role, connection warning, and the page. */
export function Frame({ name, title, find, children }: Form) {
  const t = kitStrings();
  const one = session.value;
  const tabs = one === null ? [] : tabsFor(one);
  const here = matchPage(path.value)?.page;
  usePageKeys(tabs);
  const isOn = (tab: OfficePage): boolean => here !== undefined && `${here.at}/`.startsWith(`${tab.at}/`);
  const on = tabs.filter(isOn).toSorted((a, b) => b.at.length - a.at.length)[0];
  return (
    <>
      <header class="top" onClick={follow}>
        <span class="name">{title ?? t.nav[here?.name ?? ''] ?? 'Punto'}</span>
        <nav class="tabs" aria-label={t.nav['floor']}>
          {tabs.map((tab) => (
            <a
              key={tab.name}
              href={tab.at}
              class={tab === on ? 'on' : ''}
              {...(tab === on && { 'aria-current': 'page' })}
            >
              {t.nav[tab.name]}
              <Kbd>{`G ${tab.key!}`}</Kbd>
            </a>
          ))}
        </nav>
        {find}
        <span class="grow" />
        <DemoTag />
        <Clock />
        <StaffLanguageKey />
        <SignedInPerson />
        <LockKey lock={lockConsole} />
      </header>
      <LostBar />
      <main class={`page ${name}`} onClick={follow}>
        {children}
      </main>
      <ClauseWords />
    </>
  );
}
