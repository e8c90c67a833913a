import {
  type DealerView,
  type OpenIrregularityView,
  type RulingOptionView,
} from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { AlsoKeys, Go } from '../../kit/components/nextAction.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { spanText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { wrongWords } from '../../kit/text/irregularityStrings.ts';
import { language } from '../../../shared/text/language.ts';
import { second } from '../../app/state.ts';
import { viewClauses } from '../sidePanel.tsx';
import { NextPanel } from '../actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { send } from '../../kit/sendCommand.ts';
import { beginFields, draft } from '../state.ts';
import { dealerStrings } from '../strings.ts';
import { reasonOf } from './reportSheet.tsx';

/** A way out as the dealer sees it: what it does, whose it is, and what pressing it leads to. */
export type RulingChoice = RulingOptionView & { readonly name: string };

/** The ways out of a matter, with dismissal and referral at the end. */
export function rulingChoices(view: DealerView, matter: OpenIrregularityView): readonly RulingChoice[] {
  const refer = viewClauses(view).refer;
  const extra: readonly (RulingOptionView & { readonly when: boolean })[] = [
    {
      ruling: 'dismiss',
      command: 'DismissReport',
      by: 'HOUSE 2',
      round: 'goes on',
      money: 'unchanged',
      shoe: 'goes on',
      first: 'dealer',
      second: 'supervisor',
      not: null,
      when: matter.mayDismiss,
    },
    {
      ruling: 'refer',
      command: 'Refer',
      by: refer,
      round: 'frozen',
      money: 'unchanged',
      shoe: 'untouched',
      first: 'dealer',
      second: null,
      not: null,
      when: true,
    },
  ];
  const known = matter.ways;
  const added = extra.filter(({ when, command }) => when && known.every((one) => one.command !== command));
  return [...known, ...added].map((way) => ({ ...way, name: way.ruling }));
}

/** Whether the dealer is the first of the persons it takes. */
const isMine = ({ first, not }: RulingChoice): boolean => first === 'dealer' && not === null;

/** A way is taken: what needs cards asks for them, what needs nothing is asked at once. */
function takeWay(matter: OpenIrregularityView, way: RulingChoice): void {
  if (!isMine(way)) return;
  const reason = reasonOf(matter.kind);
  switch (way.command) {
    case 'ReconstructRound':
      draft.value = { what: 'rebuild', cards: [], at: 0, unseen: false };
      return;
    case 'CorrectCard':
      draft.value = { what: 'fix', place: null, card: null };
      return;
    case 'EnterCard':
      draft.value = { what: 'by-eye', why: 'enter' };
      return;
    case 'BurnCard':
      draft.value = { what: 'by-eye', why: 'burn' };
      return;
    case 'Refer':
      void send({ type: 'Refer', reason });
      return;
    default:
      void send({ type: way.command, reason });
  }
}

function WayKey({
  way,
  digit,
  on,
  press,
  proposed,
}: {
  readonly way: RulingChoice;
  readonly digit: number;
  readonly on: boolean;
  readonly press: () => void;
  readonly proposed: boolean;
}) {
  const t = dealerStrings();
  const posts = kitWords().posts;
  const [name, does] = t.ways.names[way.name] ?? [way.name, ''];
  const who =
    way.first !== 'dealer'
      ? t.ways.theirs(posts[way.first] ?? way.first)
      : way.second === null
        ? t.ways.alone
        : t.ways.two(posts[way.second] ?? way.second);
  const fact = (does2: string): string => t.ways.does[does2] ?? does2;
  return (
    <button
      type="button"
      class={`way${on ? ' on' : ''}${proposed ? (on ? ' two' : ' dimmed') : ''}`}
      disabled={proposed || !isMine(way)}
      data-way={way.name}
      aria-pressed={on}
      onClick={press}
    >
      <Kbd>{digit}</Kbd>
      <span class="grow">
        <b>{name}</b>
        <small>{way.not === null ? does : t.notPossible}</small>
      </span>
      <dl>
        <dt>{t.ways.round}</dt>
        <dd>{fact(way.round)}</dd>
        <dt>{t.ways.stakes}</dt>
        <dd>{fact(way.money)}</dd>
        <dt>{t.ways.shoe}</dt>
        <dd>{fact(way.shoe)}</dd>
      </dl>
      <span class="r">
        <ClauseTag by={way.by} plain />
        <small class={`tag${way.second !== null && way.first === 'dealer' ? ' two' : ''}`}>{who}</small>
      </span>
    </button>
  );
}

/** What the book allows, without anybody's money. */
export function Ways({
  view,
  matter,
  pick,
  proposed = false,
}: {
  readonly view: DealerView;
  readonly matter: OpenIrregularityView;
  readonly pick: number;
  readonly proposed?: boolean;
}) {
  const t = dealerStrings();
  const all = rulingChoices(view, matter);
  return (
    <section class="panel ways" style={{ '--ways': all.length }} aria-label={t.ways.title}>
      <header>
        <h2>{t.ways.title}</h2>
        <span class="q more">{t.ways.more(wrongWords[language.value].short[matter.kind] ?? matter.kind)}</span>
        <span class="grow" />
        <span class="q">{view.waiting.length > 0 ? t.ways.other : t.ways.leave}</span>
      </header>
      {all.map((way, n) => (
        <WayKey
          key={way.name}
          way={way}
          digit={n + 1}
          on={n === pick}
          proposed={proposed}
          press={() => {
            // A touch chooses; touched again it is taken.
            if (n === pick) takeWay(matter, way);
            else draft.value = { what: 'ways', pick: n };
          }}
        />
      ))}
    </section>
  );
}

export function beginNote(): void {
  draft.value = { what: 'note' };
  beginFields('note');
}

/** The table stands still until somebody takes a way out. */
export function stoppedScene(view: DealerView, matter: OpenIrregularityView): ConsoleScene {
  const t = dealerStrings();
  const k = kitWords();
  const all = rulingChoices(view, matter);
  const chosen = draft.value?.what === 'ways' ? draft.value.pick : undefined;
  // Where somebody else rules, a referral is there to be chosen and not the next act.
  const first = all.findIndex((one) => isMine(one) && one.command !== 'Refer');
  const others = all.find((one) => one.first !== 'dealer' && one.not === null);
  const pick = chosen ?? (first < 0 && others === undefined ? all.length - 1 : first);
  const way = all[pick] ?? all.at(-1)!;
  const isOpen = pick >= 0 && isMine(way);
  const [name] = t.ways.names[way.name] ?? [way.name];
  const take = (): void => takeWay(matter, way);
  const since = t.ways.since(spanText(second.value - matter.since));
  const called = view.called === null ? since : t.ways.calledAgo(spanText(second.value - view.called.at));
  const sub =
    way.command === 'ReconstructRound'
      ? t.ways.keyOrder
      : ['CorrectCard', 'EnterCard', 'BurnCard'].includes(way.command)
        ? t.ways.keyCard
        : way.second === null
          ? t.ways.goes
          : t.ways.thenTwo;
  return {
    say: {
      title: promptText({ code: 'stopped', with: { kind: matter.kind }, by: null }),
      why: called,
      by: matter.by,
      stop: true,
    },
    left: <Ways view={view} matter={matter} pick={pick} />,
    right: (
      <NextPanel>
        {isOpen ? (
          <Go kind="act" cap={`${k.next} · ${t.ways.choose(all.length)}`} big={name} sub={sub} by={way.by} act={take} />
        ) : (
          <Go kind="stop" cap={t.noAct} big={t.waitFor(k.posts[others?.first ?? 'supervisor'] ?? '')} sub={t.noTime} />
        )}
        <AlsoKeys all={[{ text: t.ways.note, keyName: 'M', act: beginNote }]} />
      </NextPanel>
    ),
    keys: {
      takes: 'list',
      next: isOpen ? take : undefined,
      digit: (digit) => {
        if (all[digit - 1] !== undefined) draft.value = { what: 'ways', pick: digit - 1 };
      },
      move: (by) => (draft.value = { what: 'ways', pick: (pick + by + all.length) % all.length }),
    },
  };
}

/** Frozen until the Gaming Shift Manager has decided. */
export function frozenScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const [referral] = view.referred;
  return {
    say: {
      title: promptText({ code: 'frozen', with: {}, by: null }),
      why: t.frozenSince(spanText(second.value - (referral?.since ?? second.value))),
      by: referral?.by ?? null,
      stop: true,
    },
    lockedBy: { text: t.stoppedPad },
    right: (
      <NextPanel>
        <Go kind="stop" cap={t.noAct} big={t.waitFor(kitWords().posts['gaming-shift-manager']!)} sub={t.noTime} />
        <AlsoKeys all={[{ text: t.ways.note, keyName: 'M', act: beginNote }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing' },
  };
}

/** The table stopped itself. */
export function faultScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const isRecord = view.trouble === 'cannot-record';
  return {
    say: { title: isRecord ? t.fault.record : t.fault.title, why: t.fault.why, tag: t.fault.tag, stop: true },
    left: (
      <section class="panel shoeform">
        <header>
          <h2>{t.fault.means}</h2>
        </header>
        <div class="body">
          <p class="check">{t.fault.leave}</p>
          <p>{isRecord ? t.fault.textRecord : t.fault.text}</p>
        </div>
      </section>
    ),
    right: (
      <NextPanel>
        <Go kind="stop" cap={t.noAct} big={t.waitFor(kitWords().posts['supervisor']!)} sub={t.noTime} />
        <AlsoKeys all={[{ text: t.nothing, keyName: 'Bksp' }]} />
      </NextPanel>
    ),
    keys: { takes: 'nothing' },
  };
}
