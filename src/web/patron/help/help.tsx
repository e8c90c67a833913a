import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { cardsOfDeck } from '../../../rules/card.ts';
import { BilingualText } from '../../shared/text/bilingualText.tsx';
import { gameByVersionedId } from '../../shared/text/oddsText.ts';
import { Icon } from '../../shared/widgets/icons.tsx';
import { language } from '../../shared/text/language.ts';
import { bilingualGameName } from '../../shared/text/gameNames.ts';
import { currentOverlay } from '../app/overlay.ts';
import { Dialog } from '../table/dialog.tsx';
import { tableView } from '../app/state.ts';
import { AboutGame } from './about.tsx';
import { ShortcutList } from './shortcutList.tsx';
import { DrawingRules, HowToPlay } from './howToPlay.tsx';
import { BetLimitsTable, PayTables } from './payTables.tsx';
import { type HelpProps } from './helpProps.ts';
import { rulebookDateText } from './dateText.ts';
import { helpStringsByLanguage, helpStrings } from './strings.ts';
import { IrregularityHelp } from './irregularities.tsx';

const pages = {
  pays: PayTables,
  play: HowToPlay,
  drawing: DrawingRules,
  wrong: IrregularityHelp,
  limits: BetLimitsTable,
  about: AboutGame,
  keys: ShortcutList,
} as const;
type Page = keyof typeof pages;
/** Help pages that need no table, so that the lobby has them too. */
const general = { play: HowToPlay, drawing: DrawingRules, keys: ShortcutList } as const;

/**
 * The help page that the patron chose last. Help opens at this page again, unless the page needs a table and the patron
 * is in the lobby.
 */
const chosen = signal<Page>('pays');
const namesNow = (): readonly Page[] => Object.keys(tableView.value === null ? general : pages) as readonly Page[];
const openNow = (): Page => (namesNow().includes(chosen.value) ? chosen.value : namesNow()[0]!);

/** Arrow keys move between tabs. */
function turnPage({ key, currentTarget }: { key: string; currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step === undefined) return;
  const names = namesNow();
  chosen.value = names.at((names.indexOf(openNow()) + step) % names.length)!;
  currentTarget.querySelector<HTMLElement>(`#tab-${chosen.value}`)?.focus();
}

function Tabs() {
  const open = openNow();
  return (
    <div class="help-tabs" role="tablist" aria-label={helpStrings().help} onKeyDown={turnPage}>
      {namesNow().map((name) => (
        <button
          key={name}
          type="button"
          id={`tab-${name}`}
          class={name === open ? 'help-tab is-on' : 'help-tab'}
          role="tab"
          aria-selected={name === open}
          aria-controls="help-page"
          tabIndex={name === open ? 0 : -1}
          onClick={() => (chosen.value = name)}
        >
          <BilingualText en={helpStringsByLanguage.en.pages[name]} zh={helpStringsByLanguage.zh.pages[name]} />
        </button>
      ))}
    </div>
  );
}

const close = (): void => void (currentOverlay.value = null);

/** The view of the open table, with its game; undefined in the lobby, or if this page does not know the game. */
function shownTable(): HelpProps | undefined {
  const shown = tableView.value;
  const game = shown === null ? undefined : gameByVersionedId(shown.game.version);
  return shown === null || game === undefined ? undefined : { view: shown, game };
}

/** Heading of the help: game, decks and rulebook. In the lobby the heading says where to find help about a game. */
function Head({ of }: { of: HelpProps | undefined }) {
  const t = helpStrings();
  if (of === undefined) {
    return (
      <>
        <h2>
          <BilingualText en={helpStringsByLanguage.en.lobby} zh={helpStringsByLanguage.zh.lobby} />
        </h2>
        <p>{t.lobbyText}</p>
      </>
    );
  }
  const { view, game } = of;
  return (
    <>
      <h2>
        <BilingualText {...bilingualGameName(game.id, game.name)} />
      </h2>
      <p>
        {t.decks(view.decks, view.decks * cardsOfDeck(game.deck).length)} · {t.book(game.book)},{' '}
        {rulebookDateText(game.effective, language.value)}
      </p>
    </>
  );
}

function Page({ of }: { of: HelpProps | undefined }) {
  const open = openNow();
  if (of !== undefined) {
    const Shown = pages[open];
    return <Shown {...of} />;
  }
  const Shown = general[open as keyof typeof general];
  return <Shown />;
}

export function HelpSheet() {
  const t = helpStrings();
  const of = shownTable();
  // A server that is newer than this page may have a game that the page does not know. Such a game has no help.
  const isUnknown = of === undefined && tableView.value !== null;
  useLayoutEffect(() => {
    if (isUnknown) close();
    // If the patron leaves the table, help must close, since it would open again on the next screen.
    return close;
  }, []);
  if (isUnknown) return <></>;
  return (
    <Dialog name="help" label={t.help} close={close}>
      <header class="help-head">
        <Head of={of} />
        <button type="button" class="key key-bar key-icon" aria-label={t.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <Tabs />
      <div
        key={openNow()}
        id="help-page"
        class="help-body"
        role="tabpanel"
        aria-labelledby={`tab-${openNow()}`}
        tabIndex={0}
      >
        <Page of={of} />
      </div>
    </Dialog>
  );
}
