import { type RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type Card } from '../../../../rules/card.ts';
import { nextSlot } from '../../../../rules/play.ts';
import { type OpenIrregularityView } from '../../../../wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { spanText } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { wrongWords } from '../../kit/text/irregularityStrings.ts';
import { go } from '../../app/router.ts';
import { isLost, second } from '../../app/state.ts';
import { type Act, isAsking, send } from '../parts/commands.ts';
import { Band } from '../parts/pageBand.tsx';
import { usePageKeys } from '../parts/usePageKeys.ts';
import { Reason, withWords } from '../parts/reasonField.tsx';
import { may, usePreview } from '../parts/useTable.ts';
import { CardBar, WhichCard } from './cardPicker.tsx';
import { type Column, columnsOf } from './rulingColumns.ts';
import { ClauseList, ClockOf, EvidencePanel, kindText } from './evidence.tsx';
import { useFinding } from './matrix/rowFilter.tsx';
import { type Fix, noFix } from './cardFix.ts';
import { Matrix } from './matrix/rulingMatrix.tsx';
import { type CardOrder, asLaid } from './cardOrder.ts';
import { Rebuild, presetKeys } from './reconstruction.tsx';
import { rulingStrings } from './strings.ts';

/** Rulings that need a card before they can be asked for. */
const cardly: ReadonlySet<string> = new Set(['correct', 'enter', 'burn']);

/** The reason that a ruling has unless somebody writes another; on record in English. */
const reasonOf = (kind: string, note: string | null): string => {
  const text = wrongWords.en.short[kind] ?? kind;
  return note ?? text[0]!.toUpperCase() + text.slice(1);
};

/** The command of a ruling, once all that it needs is there. */
function actOf(
  view: SupervisorView,
  ruling: string,
  given: { order: CardOrder | null; fix: Fix; reason: string },
): Act | null {
  const { order, fix, reason } = given;
  const round = view.stopped?.round ?? view.round?.id;
  switch (ruling) {
    case 'reconstruct':
      return order && { type: 'ReconstructRound', cards: order.cards, unseen: order.unseen, reason };
    case 'correct':
      return fix.place === null || fix.card === null
        ? null
        : { type: 'CorrectCard', round, place: fix.place + 1, card: fix.card, reason };
    case 'enter': {
      const slot = nextSlot((view.round?.cards ?? []).map(({ card }) => card) as Card[]);
      return fix.card === null ? null : { type: 'EnterCard', slot, card: fix.card, reason };
    }
    case 'burn':
      return fix.card === null ? null : { type: 'BurnCard', card: fix.card, reason };
    case 'void':
      return { type: 'VoidRound', reason };
    case 'restore':
      return { type: 'RestoreOrder', reason };
    case 'refer':
      return { type: 'Refer', reason };
    default:
      return null;
  }
}

type Form = { readonly view: SupervisorView; readonly matter: OpenIrregularityView };

/** The rulings side by side, and the editors of what they need. */
export function Rule({ view, matter }: Form) {
  const t = rulingStrings();
  const [chosen, choose] = useState<string>();
  const [mode, setMode] = useState<'matrix' | 'order' | 'card'>('matrix');
  const [order, setOrder] = useState<CardOrder | null>(null);
  const [fix, setFix] = useState<Fix>(noFix);
  const [reason, setReason] = useState(reasonOf(matter.kind, matter.note));
  const [isTold, setTold] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const laid = (view.round?.cards ?? []).map(({ card }) => card);

  const plain = columnsOf(view, view.rulings);
  const ruling = chosen ?? plain.find(({ keyName }) => keyName !== null)?.ruling ?? 'refer';
  const act = actOf(view, ruling, { order, fix, reason: reason.trim() === '' ? '-' : reason });
  const isTyped = ruling === 'reconstruct' || ruling === 'correct';
  const previewed = usePreview(view.table, isTyped ? act : null, laid.join(' '));
  const rulings = previewed.state === 'there' ? (previewed.data.rulings ?? view.rulings) : view.rulings;
  const columns = columnsOf(view, rulings);
  const rows = rulings?.rows ?? [];
  const finding = useFinding(view, rows, ruling);
  const column = columns.find((one) => one.ruling === ruling);

  const edit = (): void => {
    if (ruling === 'reconstruct') {
      setOrder(order ?? asLaid(laid));
      setMode('order');
    } else if (cardly.has(ruling)) {
      setFix(ruling === 'correct' ? fix : { ...noFix, place: 0 });
      setMode('card');
    }
  };
  const propose = (): void => {
    if (column === undefined || column.not !== null || !may(column.first) || reason.trim() === '') return;
    if (act === null) edit();
    else {
      void ruled(view.table, act);
    }
  };
  const dismiss = (): void => {
    if (matter.mayDismiss) void send(view.table, { type: 'DismissReport', reason });
  };
  const letDealer = (): void => {
    // The dealer may read another language: the note says it in both.
    const tell = async (): Promise<void> => {
      setTold(await send(view.table, { type: 'AddNote', text: noteFor(ruling), to: 'dealer' }));
    };
    void tell();
  };
  const many = { ruling, order, fix, reason, setReason, field, previewed, propose };

  if (mode === 'order' && order !== null && view.round !== null) {
    return (
      <Frame name="rebuild">
        <Rebuild {...many} view={view} order={order} set={setOrder} leave={() => setMode('matrix')} />
      </Frame>
    );
  }
  return (
    <Frame name="ruling">
      <Band
        title={t.stopped(view.table, kindText(matter.kind))}
        by={matter.by}
        facts={[
          [t.slips, String(view.slips)],
          [t.stake, formatMoney(view.staked)],
          [t.still, spanText(second.value - matter.since)],
        ]}
      >
        {matter.mayDismiss && mode === 'matrix' && (
          <button
            type="button"
            class="btn small on-band"
            data-testid="dismiss"
            disabled={isLost.value}
            onClick={dismiss}
          >
            {t.mistake} <Kbd>D</Kbd>
          </button>
        )}
      </Band>
      {mode === 'card' && ruling === 'correct' ? (
        <div class="evi">
          <WhichCard cards={view.round?.cards ?? []} fix={fix} set={setFix} deck={view.deck} />
          <ClockOf view={view} />
          <ClauseList all={[matter.by, ...matter.ways.map(({ by }) => by)]} kind={matter.kind} />
        </div>
      ) : (
        <EvidencePanel view={view} marked={movedOf(laid, order)} />
      )}
      <Matrix
        view={view}
        columns={columns}
        rows={rows}
        chosen={ruling}
        {...(mode === 'matrix' && { choose: (to: string) => choose(to) })}
        finding={finding}
      />
      {mode === 'card' ? (
        <CardBar {...many} view={view} set={setFix} leave={() => setMode('matrix')} />
      ) : (
        <Bar
          column={column}
          isReady={act !== null}
          isTold={isTold}
          reason={reason}
          setReason={setReason}
          field={field}
          propose={propose}
          edit={edit}
          letDealer={letDealer}
          take={(key) => {
            const found = columns.find(({ keyName }) => keyName === key);
            if (found) choose(found.ruling);
            else if (key === 'D') dismiss();
            else if (key === 'O') edit();
            else if (key === 'T') letDealer();
            else if (finding.key(key)) return true;
            else if (key === 'Escape') go(`/floor/${encodeURIComponent(view.table)}`);
            else return false;
            return true;
          }}
        />
      )}
    </Frame>
  );
}

/** Asks for a ruling; what was referred is shown where it is decided. */
async function ruled(table: string, act: Act): Promise<void> {
  const isDone = await send(table, act);
  if (isDone && act.type === 'Refer') go(`/floor/${encodeURIComponent(table)}/referral`);
}

/** Where the order that was typed differs from the cards as laid. */
const movedOf = (laid: readonly string[], order: CardOrder | null): readonly number[] =>
  order === null ? [] : [...laid.keys()].filter((n) => order.cards[n] !== laid[n]);

const names: { readonly [ruling: string]: readonly [string, string] } = {
  reconstruct: ['Reconstruct', '复原'],
  void: ['Void', '作废'],
  correct: ['Correct the card', '更正牌'],
  enter: ['Enter the card', '目视录牌'],
  burn: ['Burn the card', '烧牌'],
  restore: ['Order restored', '次序已恢复'],
  refer: ['Refer', '呈报'],
};
const noteFor = (ruling: string): string => {
  const [en, zh] = names[ruling] ?? [ruling, ruling];
  return `Please propose: ${en} · 请提出：${zh}`;
};

type BarForm = {
  readonly column: Column | undefined;
  readonly isReady: boolean;
  readonly isTold: boolean;
  readonly reason: string;
  readonly setReason: (text: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly propose: () => void;
  readonly edit: () => void;
  readonly letDealer: () => void;
  readonly take: (key: string) => boolean;
};

/** The reason, the editors, and the one act. */
function Bar({ column, isReady, isTold, reason, setReason, field, propose, edit, letDealer, take }: BarForm) {
  const t = rulingStrings();
  const posts = kitWords().posts;
  const ruling = column?.ruling ?? '';
  const mayNot = column === undefined || column.not !== null || !may(column.first);
  const isOff = isLost.value || isAsking.value || mayNot || reason.trim() === '';
  usePageKeys((key) => {
    const preset = (presetKeys as readonly string[]).indexOf(key);
    if (preset >= 0) setReason(withWords(reason, t.presets[preset]!));
    else if (key === 'Y') field.current?.focus();
    else if (key === 'Enter') {
      if (!isOff) propose();
    } else return take(key);
    return true;
  }, 'matrix');
  const name = t.names[ruling] ?? ruling;
  return (
    <div class="do-bar">
      <Reason
        label={t.reason}
        value={reason}
        set={setReason}
        field={field}
        presets={presetKeys.map((key, n) => [key, t.presets[n]!] as const)}
      />
      <section class="panel" role="status">
        {isReady && (ruling === 'reconstruct' || cardly.has(ruling)) && (
          <button type="button" class="btn quiet" data-testid="edit" disabled={mayNot} onClick={edit}>
            {ruling === 'reconstruct' ? t.editOrder : t.editCard} <Kbd>O</Kbd>
          </button>
        )}
        {isTold ? (
          <span class="q">{t.dealerTold}</span>
        ) : (
          <button
            type="button"
            class="btn quiet"
            data-testid="dealer"
            disabled={isLost.value || mayNot}
            onClick={letDealer}
          >
            {t.dealer} <Kbd>T</Kbd>
          </button>
        )}
      </section>
      <button type="button" class="btn act act-big" data-testid="propose" disabled={isOff} onClick={propose}>
        <span class="two-lines">
          {!isReady
            ? ruling === 'reconstruct'
              ? t.editOrder
              : t.editCard
            : column === undefined || column.second === null
              ? t.doNow(name)
              : t.propose(name)}
          <small>
            {mayNot ? t.cannot : column.second === null ? t.atOnce : t.thenWho(posts[column.second] ?? column.second)}
          </small>
        </span>{' '}
        <Kbd>Enter</Kbd>
      </button>
    </div>
  );
}
