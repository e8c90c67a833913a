import { type RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type Card } from '../../../../rules/card.ts';
import { nextSlot } from '../../../../rules/play.ts';
import { type OpenIrregularityView } from '../../../../wire/staff/dealerView.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { durationText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { rulingStringKey } from '../../kit/text/rulingStringKey.ts';
import { irregularityNamesByLanguage } from '../../kit/text/irregularityStrings.ts';
import { navigate } from '../../app/router.ts';
import { isConnectionUnusable, staffServerSecondMs } from '../../app/state.ts';
import { type UntypedCommand, isCommandPending, officeSendOptions, sendCommand } from '../../kit/sendCommand.ts';
import { PageHeaderBand } from '../components/pageHeaderBand.tsx';
import { usePageKeys } from '../components/usePageKeys.ts';
import { ReasonField, togglePhrase } from '../components/reasonField.tsx';
import { useCommandPreview } from '../../kit/useCommandPreview.ts';
import { mayActAs } from '../components/useSupervisorView.ts';
import { CardRulingBar, CardReplacementPicker } from './cardReplacementPicker.tsx';
import { type MatrixColumn, rulingColumns } from './rulingColumns.ts';
import { ClauseList, RoundEventList, EvidencePanel, irregularityName } from './evidence.tsx';
import { useRowFilter } from './matrix/rowFilter.tsx';
import { type CardReplacementState, emptyCardReplacementState } from './cardReplacementState.ts';
import { RulingMatrixTable } from './matrix/rulingMatrix.tsx';
import { type CardOrderEditorState, initialCardOrderState } from './cardOrder.ts';
import { ReconstructionEditor, presetReasonKeys } from './reconstruction.tsx';
import { rulingStrings } from './strings.ts';

/** Rulings that need one card. */
const cardRulings: ReadonlySet<string> = new Set(['correct', 'enter', 'burn']);

/**
 * Default reason of a ruling: the note of the report or, without a note, the kind of irregularity in English. Reasons
 * are stored, so they do not depend on the language of the screen.
 */
const initialReason = (kind: string, note: string | null): string => {
  const text = irregularityNamesByLanguage.en.short[kind] ?? kind;
  return note ?? text[0]!.toUpperCase() + text.slice(1);
};

/** Command of a ruling; null while the cards that the ruling needs are not entered. */
function rulingCommand(
  view: SupervisorView,
  ruling: string,
  inputs: { order: CardOrderEditorState | null; fix: CardReplacementState; reason: string },
): UntypedCommand | null {
  const { order, fix, reason } = inputs;
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

type Props = { readonly view: SupervisorView; readonly irregularity: OpenIrregularityView };

export function RulingEditor({ view, irregularity }: Props) {
  const t = rulingStrings();
  const [chosen, choose] = useState<string>();
  const [mode, setMode] = useState<'matrix' | 'order' | 'card'>('matrix');
  const [order, setOrder] = useState<CardOrderEditorState | null>(null);
  const [fix, setFix] = useState<CardReplacementState>(emptyCardReplacementState);
  const [reason, setReason] = useState(initialReason(irregularity.kind, irregularity.note));
  const [isDealerNotified, setDealerNotified] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const laid = (view.round?.cards ?? []).map(({ card }) => card);

  const initialColumns = rulingColumns(view, view.rulings);
  const ruling = chosen ?? initialColumns.find(({ keyName }) => keyName !== null)?.ruling ?? 'refer';
  const command = rulingCommand(view, ruling, { order, fix, reason: reason.trim() === '' ? '-' : reason });
  const hasPreview = ruling === 'reconstruct' || ruling === 'correct';
  const preview = useCommandPreview(view.table, hasPreview ? command : null, laid.join(' '));
  const rulings = preview.state === 'loaded' ? (preview.data.rulings ?? view.rulings) : view.rulings;
  const columns = rulingColumns(view, rulings);
  const rows = rulings?.rows ?? [];
  const rowFilter = useRowFilter(view, rows, ruling);
  const column = columns.find((one) => one.ruling === ruling);

  const edit = (): void => {
    if (ruling === 'reconstruct') {
      setOrder(order ?? initialCardOrderState(laid));
      setMode('order');
    } else if (cardRulings.has(ruling)) {
      setFix(ruling === 'correct' ? fix : { ...emptyCardReplacementState, place: 0 });
      setMode('card');
    }
  };
  const propose = (): void => {
    if (column === undefined || column.not !== null || !mayActAs(column.first) || reason.trim() === '') return;
    if (command === null) edit();
    else {
      void sendRuling(view.table, command);
    }
  };
  const mayDismiss = irregularity.dismiss !== null && mayActAs(irregularity.dismiss.first);
  const dismiss = (): void => {
    if (mayDismiss) void sendCommand({ type: 'DismissReport', reason }, officeSendOptions(view.table));
  };
  const askDealer = (): void => {
    // The note for the dealer is in both languages, since the dealer's screen may show either.
    const sendNote = async (): Promise<void> => {
      setDealerNotified(
        await sendCommand({ type: 'AddNote', text: dealerNote(ruling), to: 'dealer' }, officeSendOptions(view.table)),
      );
    };
    void sendNote();
  };
  const editorProps = { ruling, order, fix, reason, setReason, field, preview, propose };

  if (mode === 'order' && order !== null && view.round !== null) {
    return (
      <PageFrame name="rebuild">
        <ReconstructionEditor
          {...editorProps}
          view={view}
          order={order}
          set={setOrder}
          leave={() => setMode('matrix')}
        />
      </PageFrame>
    );
  }
  return (
    <PageFrame name="ruling">
      <PageHeaderBand
        title={t.stopped(view.table, irregularityName(irregularity.kind))}
        by={irregularity.by}
        facts={[
          [t.slips, String(view.slips)],
          [t.stake, formatMoney(view.staked)],
          [t.still, durationText(staffServerSecondMs.value - irregularity.since)],
        ]}
      >
        {mayDismiss && mode === 'matrix' && (
          <button
            type="button"
            class="btn small on-band"
            data-testid="dismiss"
            disabled={isConnectionUnusable.value}
            onClick={dismiss}
          >
            {t.mistake} <KeyCap>D</KeyCap>
          </button>
        )}
      </PageHeaderBand>
      {mode === 'card' && ruling === 'correct' ? (
        <div class="evi">
          <CardReplacementPicker cards={view.round?.cards ?? []} fix={fix} set={setFix} deck={view.deck} />
          <RoundEventList view={view} />
          <ClauseList
            clauses={[irregularity.by, ...irregularity.options.map(({ by }) => by)]}
            kind={irregularity.kind}
          />
        </div>
      ) : (
        <EvidencePanel view={view} marked={movedIndexes(laid, order)} />
      )}
      <RulingMatrixTable
        view={view}
        columns={columns}
        rows={rows}
        chosen={ruling}
        {...(mode === 'matrix' && { choose: (to: string) => choose(to) })}
        rowFilter={rowFilter}
      />
      {mode === 'card' ? (
        <CardRulingBar {...editorProps} view={view} set={setFix} leave={() => setMode('matrix')} />
      ) : (
        <RulingBar
          column={column}
          isReady={command !== null}
          isDealerNotified={isDealerNotified}
          reason={reason}
          setReason={setReason}
          field={field}
          propose={propose}
          edit={edit}
          askDealer={askDealer}
          onKey={(key) => {
            const pressedColumn = columns.find(({ keyName }) => keyName === key);
            if (pressedColumn) choose(pressedColumn.ruling);
            else if (key === 'D') dismiss();
            else if (key === 'O') edit();
            else if (key === 'T') askDealer();
            else if (rowFilter.key(key)) return true;
            else if (key === 'Escape') navigate(`/floor/${encodeURIComponent(view.table)}`);
            else return false;
            return true;
          }}
        />
      )}
    </PageFrame>
  );
}

/** Sends a ruling. If the ruling is a referral and is accepted, the referral page opens. */
async function sendRuling(table: string, command: UntypedCommand): Promise<void> {
  const isDone = await sendCommand(command, officeSendOptions(table));
  if (isDone && command.type === 'Refer') navigate(`/floor/${encodeURIComponent(table)}/referral`);
}

/** Indexes at which the new order differs from the cards as laid. */
const movedIndexes = (laid: readonly string[], order: CardOrderEditorState | null): readonly number[] =>
  order === null ? [] : [...laid.keys()].filter((n) => order.cards[n] !== laid[n]);

const rulingNames: { readonly [ruling: string]: readonly [string, string] } = {
  reconstruct: ['Reconstruct', '复原'],
  void: ['Void', '作废'],
  correct: ['Correct the card', '更正牌'],
  enter: ['Enter the card', '目视录牌'],
  burn: ['Burn the card', '烧牌'],
  restore: ['Order restored', '次序已恢复'],
  refer: ['Refer', '呈报'],
};
const dealerNote = (ruling: string): string => {
  const [en, zh] = rulingNames[ruling] ?? [ruling, ruling];
  return `Please propose: ${en} · 请提出：${zh}`;
};

type RulingBarProps = {
  readonly column: MatrixColumn | undefined;
  readonly isReady: boolean;
  readonly isDealerNotified: boolean;
  readonly reason: string;
  readonly setReason: (text: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly propose: () => void;
  readonly edit: () => void;
  readonly askDealer: () => void;
  readonly onKey: (key: string) => boolean;
};

function RulingBar({
  column,
  isReady,
  isDealerNotified,
  reason,
  setReason,
  field,
  propose,
  edit,
  askDealer,
  onKey,
}: RulingBarProps) {
  const t = rulingStrings();
  const roles = kitStrings().roles;
  const ruling = column?.ruling ?? '';
  const isNotAllowed = column === undefined || column.not !== null || !mayActAs(column.first);
  const isDisabled = isConnectionUnusable.value || isCommandPending.value || isNotAllowed || reason.trim() === '';
  usePageKeys((key) => {
    const preset = (presetReasonKeys as readonly string[]).indexOf(key);
    if (preset >= 0) setReason(togglePhrase(reason, t.presets[preset]!));
    else if (key === 'Y') field.current?.focus();
    else if (key === 'Enter') {
      if (!isDisabled) propose();
    } else return onKey(key);
    return true;
  }, 'matrix');
  const name = column === undefined ? '' : (t.names[rulingStringKey(column)] ?? ruling);
  return (
    <div class="do-bar">
      <ReasonField
        label={t.reason}
        value={reason}
        set={setReason}
        field={field}
        presets={presetReasonKeys.map((key, n) => [key, t.presets[n]!] as const)}
      />
      <section class="panel" role="status">
        {isReady && (ruling === 'reconstruct' || cardRulings.has(ruling)) && (
          <button type="button" class="btn quiet" data-testid="edit" disabled={isNotAllowed} onClick={edit}>
            {ruling === 'reconstruct' ? t.editOrder : t.editCard} <KeyCap>O</KeyCap>
          </button>
        )}
        {isDealerNotified ? (
          <span class="q">{t.dealerNotified}</span>
        ) : (
          <button
            type="button"
            class="btn quiet"
            data-testid="dealer"
            disabled={isConnectionUnusable.value || isNotAllowed}
            onClick={askDealer}
          >
            {t.dealer} <KeyCap>T</KeyCap>
          </button>
        )}
      </section>
      <button type="button" class="btn act act-big" data-testid="propose" disabled={isDisabled} onClick={propose}>
        <span class="two-lines">
          {!isReady
            ? ruling === 'reconstruct'
              ? t.editOrder
              : t.editCard
            : column === undefined || column.second === null
              ? t.doNow(name)
              : t.propose(name)}
          <small>
            {isNotAllowed
              ? t.cannot
              : column.second === null
                ? t.atOnce
                : t.thenWho(roles[column.second] ?? column.second)}
          </small>
        </span>{' '}
        <KeyCap>Enter</KeyCap>
      </button>
    </div>
  );
}
