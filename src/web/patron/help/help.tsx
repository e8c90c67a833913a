import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { cardsOf } from '../../../rules/card.ts';
import { Bi } from '../../shared/bi.tsx';
import { gameOf } from '../../shared/figures.ts';
import { Icon } from '../../shared/icons.tsx';
import { language } from '../../shared/language.ts';
import { gameNames } from '../../shared/names.ts';
import { overlay } from '../overlay.ts';
import { view } from '../state.ts';
import { About } from './about.tsx';
import { Drawing, HowToPlay } from './play.tsx';
import { Limits, Pays } from './pays.tsx';
import { type Of } from './of.ts';
import { dateText } from './date.ts';
import { helpWords, words } from './words.ts';
import { WhatIfs } from './whatifs.tsx';

const pages = {
  pays: Pays,
  play: HowToPlay,
  drawing: Drawing,
  wrong: WhatIfs,
  limits: Limits,
  about: About,
} as const;
type Page = keyof typeof pages;
const names = Object.keys(pages) as readonly Page[];

/** The page that was read last is the one that opens again. */
const open = signal<Page>('pays');

/** Arrows go from one page to the next, as in any row of tabs. */
function turnPage({ key, currentTarget }: { key: string; currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step === undefined) return;
  open.value = names.at((names.indexOf(open.value) + step) % names.length)!;
  currentTarget.querySelector<HTMLElement>(`#tab-${open.value}`)?.focus();
}

function Tabs() {
  return (
    <div class="help-tabs" role="tablist" aria-label={words().help} onKeyDown={turnPage}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          id={`tab-${name}`}
          class={name === open.value ? 'help-tab is-on' : 'help-tab'}
          role="tab"
          aria-selected={name === open.value}
          aria-controls="help-page"
          tabIndex={name === open.value ? 0 : -1}
          onClick={() => (open.value = name)}
        >
          <Bi en={helpWords.en.pages[name]} zh={helpWords.zh.pages[name]} />
        </button>
      ))}
    </div>
  );
}

const close = (): void => void (overlay.value = null);

/** What the table on the screen is: its game by the registry, its decks, and what it offers. */
function shownTable(): Of | undefined {
  const shown = view.value;
  const game = shown === null ? undefined : gameOf(shown.game.version);
  return shown === null || game === undefined ? undefined : { shown, game };
}

function Sheet(of: Of) {
  const t = words();
  const { shown, game } = of;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current!.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
      // Whoever goes to another table has not asked for its help.
      close();
    };
  }, []);
  const Shown = pages[open.value];
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-label={t.help}
      data-testid="help"
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <header class="help-head">
        <h2>
          <Bi {...gameNames(game.id, game.name)} />
        </h2>
        <p>
          {t.decks(shown.decks, shown.decks * cardsOf(game.deck).length)} · {t.book(game.book)},{' '}
          {dateText(game.effective, language.value)}
        </p>
        <button type="button" class="key key-bar key-icon" aria-label={t.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <Tabs />
      <div
        key={open.value}
        id="help-page"
        class="help-body"
        role="tabpanel"
        aria-labelledby={`tab-${open.value}`}
        tabIndex={0}
      >
        <Shown {...of} />
      </div>
    </dialog>
  );
}

/** All about the game of this table, in pages. */
export function HelpSheet() {
  const of = shownTable();
  return of === undefined ? <></> : <Sheet {...of} />;
}
