import { useEffect } from 'preact/hooks';
import { type DealerView } from '../../../wire/staff/dealerView.ts';
import { Clock, DemoTag, StaffLanguageKey, LockKey, LostBar, SignedInPerson } from '../kit/components/topBar.tsx';
import { ClauseTag, ClauseWords, openAllClauses, openClauses } from '../kit/components/clauseTag.tsx';
import { Warning } from '../kit/components/icons.tsx';
import { Kbd, isTouched } from '../kit/input/keyCap.tsx';
import { Keypad } from '../kit/input/keypad.tsx';
import { actOf } from '../kit/input/keyBindings.ts';
import { listenForKeys } from '../kit/input/keyListener.ts';
import { AlsoKeys, Go } from '../kit/components/nextAction.tsx';
import { language } from '../../shared/text/language.ts';
import { shortName } from '../../shared/text/gameNames.ts';
import { isLocked, lockConsole } from '../app/session.ts';
import { Veil } from '../signin/lockScreen.tsx';
import { staff } from '../app/connection.ts';
import { isLost } from '../app/state.ts';
import { alarms } from './alarms.ts';
import { Aside } from './sidePanel.tsx';
import { byEyeScene, fixScene, rebuildScene, togetherScene, whichScene } from './scenes/cardScenes.tsx';
import { scannedCard, tellScanned } from './dealCard.ts';
import { deleteLetter, fillIn, moveIn, typeInto } from './formFields.ts';
import { chipsScene, noteScene, referScene, sinceScene } from './scenes/formScenes.tsx';
import { DealerHands } from './stage/hands.tsx';
import { Pad } from './stage/cardPad.tsx';
import { NextPanel } from './actionPanel.tsx';
import { CallPop, ReliefPop, callKeys, reliefKeys } from './scenes/popups.tsx';
import { roundScene } from './scenes/roundScenes.tsx';
import { type Keys, type ConsoleScene } from './scene.ts';
import { proposedScene } from './scenes/approvalScene.tsx';
import { send } from '../kit/sendCommand.ts';
import { depthScene, shoeScene } from './shoe/newShoe.tsx';
import { countScene, differsScene, sealScene } from './shoe/endShoe.tsx';
import {
  beginFields,
  draft,
  dropDraft,
  openProposalSignal,
  phaseSince,
  typed,
  dealerView as seenView,
} from './state.ts';
import { beginNote, faultScene, frozenScene, stoppedScene } from './scenes/stoppedScenes.tsx';
import { dealerStrings } from './strings.ts';
import { WrongSheet, wrongKeys } from './scenes/reportSheet.tsx';

/** What the dealer is about to do, where it takes the place of what the table wants. */
function draftScene(view: DealerView): ConsoleScene | undefined {
  const now = draft.value;
  switch (now?.what) {
    case 'fix':
      return fixScene(view, now);
    case 'rebuild':
      return rebuildScene(view, now);
    case 'by-eye':
      return byEyeScene(view, now.why);
    case 'chips':
      return chipsScene(view, now);
    case 'which':
      return whichScene(view);
    case 'since':
      return sinceScene(view);
    case 'refer':
      return referScene(view);
    case 'note':
      return noteScene(view);
    case 'together':
      return togetherScene(view, now.card);
    case 'count':
      return countScene(view, now);
    case 'differs':
      return differsScene(view, now.counts);
    case 'seal':
      return sealScene(view);
    case 'depth':
      return depthScene(view);
    case 'wrong':
    case 'call':
    case 'relief':
    case 'ways':
    case undefined:
      return undefined;
  }
}

/** What is written down or reported whatever waits for a second person. */
const reports: ReadonlySet<string> = new Set(['note', 'refer', 'which', 'chips', 'since']);

/** What the console is about. */
function sceneOf(view: DealerView): ConsoleScene {
  if (isLost.value) return lostScene(view);
  if (view.trouble !== null) return faultScene(view);
  const proposal = openProposalSignal.value;
  if (proposal !== null && !reports.has(draft.value?.what ?? '')) return proposedScene(view, proposal);
  const own = draftScene(view);
  if (own !== undefined) return own;
  if (view.stopped !== null) {
    const feltIsOpen = view.stopped.ways.some(({ command }) => command === 'ConfirmFelt');
    return feltIsOpen && draft.value?.what !== 'ways' ? byEyeScene(view, 'enter') : stoppedScene(view, view.stopped);
  }
  if (view.referred.length > 0 && view.says.code === 'frozen') return frozenScene(view);
  return (view.phase === 'idle' ? shoeScene(view) : undefined) ?? roundScene(view);
}

/** Without a link nothing that is pressed counts. */
function lostScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const plain = roundScene(view);
  return {
    say: plain.say,
    lockedBy: { text: t.lostPad },
    right: (
      <NextPanel>
        <Go kind="wait" big={t.lostNext} sub={view.due === null ? t.lostClock : t.lostSub(view.due)} />
        <AlsoKeys all={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing' },
  };
}

/** Who gets the keys: what lies over the console, else the scene. */
function keysOf(scene: ConsoleScene): Keys {
  const now = draft.value;
  if (isLost.value) return { takes: 'nothing' };
  if (now?.what === 'wrong') return wrongKeys(now.group);
  if (now?.what === 'call') return callKeys;
  if (now?.what === 'relief') return reliefKeys;
  return scene.keys;
}

const openWrong = (): void => {
  dropDraft();
  draft.value = { what: 'wrong', group: null };
};
const openCall = (): void => void (draft.value = { what: 'call' });
const openRelief = (): void => {
  draft.value = { what: 'relief' };
  beginFields('number');
};
const reportCut = (): void => void send({ type: 'ReportCuttingCard' });

/** A key that was typed by hand. */
function press(key: string, shift: boolean): void {
  const view = seenView.peek();
  if (key === 'Escape' && openClauses.value.length > 0) {
    openClauses.value = [];
    return;
  }
  if (view === null || isLocked()) return;
  const scene = sceneOf(view);
  const keys = keysOf(scene);
  const where = { takes: keys.takes, deck: view.deck, typed: typed.value, since: phaseSince.peek() };
  const act = actOf({ key, shift }, where, performance.now());
  switch (act?.type) {
    case undefined:
      return;
    case 'typed':
      typed.value = act.rank;
      return;
    case 'card':
      scene.card?.(act.card, 'keyed');
      return;
    case 'next':
      keys.next?.();
      return;
    case 'back':
      keys.back?.();
      return;
    case 'escape':
      keys.escape?.();
      return;
    case 'tab':
      moveIn(keys.specs ?? [], act.by);
      return;
    case 'move':
      keys.move?.(act.by, act.carry);
      return;
    case 'char':
      typeInto(keys.specs ?? [], act.char);
      keys.filled?.();
      return;
    case 'digit':
      keys.digit?.(act.digit);
      return;
    case 'order':
      order(act.order, keys, view);
  }
}

function order(which: keyof NonNullable<Keys['orders']>, keys: Keys, view: DealerView): void {
  const own = keys.orders?.[which];
  if (own !== undefined) {
    own();
    return;
  }
  if (which === 'lock') lockConsole();
  if (which === 'clauses') openAllClauses();
  if (isLost.value) return;
  if (which === 'wrong') openWrong();
  if (which === 'call') openCall();
  if (which === 'relief') openRelief();
  if (which === 'note') beginNote();
  if (which === 'cut' && view.shoe !== null && !view.shoe.cuttingCardOut) reportCut();
}

/** A scan goes to the slot that is due, whatever has the focus; to a field where one is to be filled. */
function scanned(text: string): void {
  const view = seenView.peek();
  if (view === null || isLocked() || isLost.value) return;
  const scene = sceneOf(view);
  const keys = keysOf(scene);
  if (scene.card === undefined || (keys.takes === 'field' && draft.value?.what !== 'relief')) {
    if (keys.takes === 'field' && keys.specs !== undefined) fillIn(keys.specs, text);
    else if (scannedCard(text, view) !== undefined) {
      const isLate = view.phase === 'dealing' || view.phase === 'result';
      tellScanned(text, isLate ? 'deal-complete' : 'not-now', '', view.says.by);
    }
    return;
  }
  const card = scannedCard(text, view);
  if (card !== undefined) scene.card(card, 'scanned');
}

/** Whether keys go to fields, of which Tab chooses one. */
const takesFields = (): boolean => {
  const view = seenView.peek();
  return view !== null && keysOf(sceneOf(view)).takes === 'field';
};

/** Space presses what has the focus, and Tab leads to it; everything else is the console's. */
const leaves = ({ key, target }: KeyboardEvent): boolean => {
  const isKey = target instanceof HTMLElement && target.closest('button, a') !== null;
  if (isLocked()) return true;
  if (key === 'Tab') return !takesFields();
  return key === ' ' && isKey;
};

const isWriting = (): boolean => document.activeElement?.matches('[data-text]') ?? false;

function Bar({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const phases = ['idle', 'betting', 'closing', 'dealing', 'result'];
  const at = Math.max(0, phases.indexOf(view.phase === 'paying' ? 'result' : view.phase));
  const isHeld = view.stopped !== null || view.referred.length > 0 || view.trouble !== null;
  return (
    <header class="top">
      <span class="name">{view.table}</span>
      <span class="game q">{shortName(view.game.version, view.game.name)[language.value]}</span>
      <b>{view.round === null ? t.noRound : t.round(view.round.number)}</b>
      <ol class={`track${isHeld ? ' held' : ''}`} aria-label={t.phase}>
        {t.phases.map((phase, n) => (
          <li
            key={phase}
            class={n === at ? 'on' : n < at ? 'done' : ''}
            {...(n === at && { 'aria-current': 'step' as const })}
          >
            {phase}
          </li>
        ))}
      </ol>
      <span class="grow" />
      <DemoTag />
      <span class="row q how">
        <i class="dot on" />
        {view.dealing === 'scanned' ? t.scanner : t.keyed}
      </span>
      <Clock />
      <StaffLanguageKey />
      <SignedInPerson />
      <LockKey lock={lockConsole} />
    </header>
  );
}

function Foot({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const off = isLost.value;
  const isOut = view.shoe === null || view.shoe.cuttingCardOut || !view.shoe.ready;
  return (
    <footer class="foot">
      <button type="button" class="btn wrong" disabled={off} onClick={openWrong} data-testid="wrong">
        <Warning />
        {t.wrong} <Kbd>W</Kbd>
      </button>
      <button type="button" class="btn" disabled={off} onClick={openCall} data-testid="call">
        {view.called === null ? t.page : t.called} <Kbd>P</Kbd>
      </button>
      <button type="button" class="btn" disabled={off || isOut} onClick={reportCut} data-testid="cut">
        {t.cut} <Kbd>X</Kbd>
      </button>
      <button type="button" class="btn" disabled={off} onClick={openRelief} data-testid="relief">
        {t.relief} <Kbd>R</Kbd>
      </button>
      <span class="legend" aria-hidden="true">
        <span>
          <kbd>Enter</kbd>
          {t.keys.enter}
        </span>
        <span>
          <kbd>Bksp</kbd>
          {t.keys.undo}
        </span>
        <span>
          <kbd>Esc</kbd>
          {t.keys.esc}
        </span>
        <span>
          <kbd>?</kbd>
          {t.keys.clauses}
        </span>
      </span>
    </footer>
  );
}

/** The sentence at the top of the stage: what is wanted, and why. */
function Say({ say }: { readonly say: ConsoleScene['say'] }) {
  return (
    <div class={`say${say.stop ? ' stop' : ''}`} {...(say.stop && { role: 'alert' })} data-testid="say">
      {say.stop && <Warning size={30} />}
      <div class="grow" aria-live="polite">
        <h1>{say.title}</h1>
      </div>
      {say.why !== undefined && <p>{say.why}</p>}
      {say.tag === undefined ? <ClauseTag by={say.by} /> : <cite>{say.tag}</cite>}
    </div>
  );
}

function Console({ view }: { readonly view: DealerView }) {
  const scene = sceneOf(view);
  const keys = keysOf(scene);
  const now = draft.value;
  const take = scene.card;
  const isAsked = isTouched.value && keys.takes === 'field' && now?.what !== 'relief';
  const specs = isAsked ? keys.specs : undefined;
  return (
    <>
      <main class="console">
        <section class="stage">
          <Say say={scene.say} />
          {scene.stage ?? <DealerHands view={view} />}
        </section>
        <Aside view={view} />
        {scene.left ?? (
          <Pad
            deck={view.deck}
            press={take === undefined ? undefined : (card) => take(card, 'keyed')}
            locked={scene.lockedBy}
          />
        )}
        {scene.right}
        {specs && (
          <div class="touchpad">
            <Keypad
              press={(char) => typeInto(specs, char)}
              back={() => void deleteLetter(specs)}
              letters={specs.some(({ takes }) => takes === 'number')}
              point={specs.some(({ takes }) => takes === 'money')}
            />
          </div>
        )}
      </main>
      <Foot view={view} />
      {now?.what === 'wrong' && <WrongSheet view={view} group={now.group} />}
      {now?.what === 'call' && <CallPop view={view} />}
      {now?.what === 'relief' && <ReliefPop />}
    </>
  );
}

/** The console of a table. */
export function Dealer({ table }: { readonly table: string }) {
  useEffect(() => {
    staff.lookAt(table, 'dealer');
    const quiet = listenForKeys({ key: press, scan: scanned, inText: isWriting, leaves });
    const still = alarms();
    const deaf = staff.watch((_seen, tell) => {
      if (tell?.type === 'scanned') tellScanned(tell.text, tell.code, tell.message, tell.by);
    });
    return () => {
      quiet();
      still();
      deaf();
      dropDraft();
    };
  }, [table]);
  const view = seenView.value;
  if (view === null) {
    return (
      <>
        <header class="top">
          <span class="name">{table}</span>
          <span class="grow" />
          <DemoTag />
          <StaffLanguageKey />
          <SignedInPerson />
        </header>
        <LostBar />
        <p class="waits q">{dealerStrings().waitTable}</p>
        {isLocked() && <Veil />}
      </>
    );
  }
  return (
    <>
      <Bar view={view} />
      <LostBar />
      <Console view={view} />
      <ClauseWords />
      {isLocked() && <Veil />}
    </>
  );
}
