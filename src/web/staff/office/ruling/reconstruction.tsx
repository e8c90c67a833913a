import { useRef } from 'preact/hooks';
import { type RefObject } from 'preact';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { SmallCard, rankText } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { promptText } from '../../kit/text/promptText.ts';
import { HandOrTieSign } from '../../kit/components/handOrTieSign.tsx';
import { durationText } from '../../kit/text/timeText.ts';
import { isConnectionUnusable, staffServerSecondMs } from '../../app/state.ts';
import { isCommandPending } from '../../kit/sendCommand.ts';
import { PageHeaderBand } from '../components/pageHeaderBand.tsx';
import { usePageKeys, clickHandlerWithBlur } from '../components/usePageKeys.ts';
import { ReasonField } from '../components/reasonField.tsx';
import { type CommandPreviewState } from '../../kit/useCommandPreview.ts';
import {
  type CardOrderEditorState,
  type ReplayStep,
  moveCardInOrder,
  applyCardOrderKey,
  laidIndexOfEachCard,
  replaySteps,
} from './cardOrder.ts';
import { rulingStrings } from './strings.ts';

type Props = {
  readonly view: SupervisorView;
  readonly order: CardOrderEditorState;
  readonly set: (order: CardOrderEditorState) => void;
  readonly preview: CommandPreviewState;
  readonly reason: string;
  readonly setReason: (text: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly propose: () => void;
  readonly leave: () => void;
};

export const presetReasonKeys = ['7', '8'] as const;

/** Editor of the order in which the cards left the shoe, beside the cards as laid. */
export function ReconstructionEditor({ view, order, set, preview, reason, setReason, field, propose, leave }: Props) {
  const t = rulingStrings();
  const r = t.rebuild;
  const laid = view.round!.cards.map(({ card }) => card);
  const isDisabled =
    isConnectionUnusable.value || isCommandPending.value || order.cards.length === 0 || reason.trim() === '';
  usePageKeys((key, shift) => {
    if (key === 'Y') field.current?.focus();
    else if (key === 'Enter') {
      if (!isDisabled) propose();
    } else {
      const next = applyCardOrderKey(order, { key, shift }, laid, view.deck);
      if (next === order && key === 'Escape') leave();
      else if (next === order) return false;
      else set(next);
    }
    return true;
  }, 'order');
  return (
    <>
      <PageHeaderBand
        title={r.title(view.round!.number, view.table)}
        by={view.stopped?.by ?? null}
        facts={[
          [t.slips, String(view.slips)],
          [t.stake, formatMoney(view.staked)],
          [t.still, durationText(staffServerSecondMs.value - (view.stopped?.since ?? staffServerSecondMs.value))],
        ]}
      />
      <Lanes order={order} set={set} laid={laid} view={view} />
      <section class="panel scrolls" tabIndex={0} aria-label={r.play}>
        <header>
          <h2>{r.play}</h2>
          <span class="grow" />
          <ClauseTag by={view.clauses['play']} />
        </header>
        <ReplayList order={order} set={set} laid={laid} preview={preview} />
      </section>
      <div class="do-bar">
        <ReasonField
          label={t.reason}
          value={reason}
          set={setReason}
          field={field}
          presets={t.presets.map((text) => ['', text] as const)}
        />
        <section class="panel">
          <button type="button" class="btn quiet" onClick={leave}>
            {r.back} <KeyCap>Esc</KeyCap>
          </button>
        </section>
        <button type="button" class="btn act act-big" data-testid="propose" disabled={isDisabled} onClick={propose}>
          {t.propose(t.names['reconstruct']!)} <KeyCap>Enter</KeyCap>
        </button>
      </div>
    </>
  );
}

type LanesProps = Pick<Props, 'view' | 'order' | 'set'> & { readonly laid: readonly string[] };

function Lanes({ view, order, set, laid }: LanesProps) {
  const t = rulingStrings();
  const r = t.rebuild;
  const { cards, at, adding, typed } = order;
  const links = laidIndexOfEachCard(laid, cards);
  const count = Math.max(6, laid.length, cards.length + 1);
  const draggedFrom = useRef<number | null>(null);
  const drag = ({ buttons, clientX, clientY }: PointerEvent): void => {
    const from = draggedFrom.current;
    // No button is pressed, so the drag has ended: the pointer was released outside of the row of cards.
    if (buttons === 0) draggedFrom.current = null;
    if (from === null || buttons === 0) return;
    const target = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-place]');
    const to = Number(target?.dataset['place'] ?? from);
    if (to === from) return;
    draggedFrom.current = to;
    set(moveCardInOrder(order, from, to));
  };
  const cells: readonly (string | null)[] = adding ? cards.toSpliced(at, 0, null as never) : cards;
  return (
    <section class="panel lanes" style={{ '--count': count }} aria-label={r.left}>
      <div class="lane">
        <h2>
          {r.laid}
          <small>{r.laidMore}</small>
        </h2>
        {view.round!.cards.map(({ card, slot }, n) => (
          <span key={n}>
            <b>{slot}</b>
            <SmallCard card={card} />
          </span>
        ))}
      </div>
      <svg class="links" viewBox={`0 0 ${count * 100} 100`} preserveAspectRatio="none" aria-hidden="true">
        {links.map((from, to) =>
          from === null ? null : (
            <path
              key={to}
              d={`M${from * 100 + 50} 0C${from * 100 + 50} 55 ${to * 100 + 50} 45 ${to * 100 + 50} 100`}
              class={from === to ? '' : 'moved'}
              vector-effect="non-scaling-stroke"
            />
          ),
        )}
      </svg>
      <div class="lane" onPointerMove={drag} onPointerUp={() => (draggedFrom.current = null)}>
        <h2>
          {r.left}
          <small>{r.leftMore}</small>
        </h2>
        {cells.map((card, n) =>
          card === null || (n === at && typed !== '') ? (
            <span key={n} class="sel">
              <span class="addc due">{typed === '' ? '' : rankText(typed, view.deck === 'elements' ? '1' : '')}</span>
              <b>{n + 1}</b>
            </span>
          ) : (
            <button
              key={n}
              type="button"
              data-place={n}
              onPointerDown={() => (draggedFrom.current = adding ? null : n)}
              aria-label={r.place(n + 1)}
              aria-pressed={n === at && !adding}
              class={n === at && !adding ? 'sel' : laid[n] === card ? '' : 'moved'}
              onClick={clickHandlerWithBlur(() => set({ ...order, at: n, adding: false, typed: '' }))}
            >
              <SmallCard card={card} />
              <b>{n + 1}</b>
            </button>
          ),
        )}
        {!adding && cards.length < 7 && (
          <button
            type="button"
            onClick={clickHandlerWithBlur(() => set({ ...order, at: cards.length, adding: true, typed: '' }))}
          >
            <span class="addc">
              {r.add}
              <KeyCap>Ins</KeyCap>
            </span>
          </button>
        )}
      </div>
      <div class="lane-keys" aria-hidden="true">
        <span>
          <kbd>←</kbd> <kbd>→</kbd> {r.keys.choose}
        </span>
        <span>
          <kbd>Shift</kbd> + <kbd>←</kbd> <kbd>→</kbd> {r.keys.move}
        </span>
        <span>
          <kbd>4</kbd> <kbd>D</kbd> {r.keys.other}
        </span>
        <span>
          <kbd>Del</kbd> {r.keys.out}
        </span>
        <span>
          <kbd>Home</kbd> {r.keys.home}
        </span>
      </div>
    </section>
  );
}

function StepText({ step }: { readonly step: ReplayStep }) {
  const r = rulingStrings().rebuild;
  switch (step.type) {
    case 'rule':
      return <>{r.rules[step.code](step.player, step.banker)}</>;
    case 'third':
      return <>{r.rules[step.code](step.banker, step.third)}</>;
    case 'over':
      return <>{r.over}</>;
    case 'due':
      return <>{r.due(step.slot)}</>;
    case 'end':
      return <ResultText step={step} />;
    case 'card':
      return <>{r.slots[step.slot]}</>;
  }
}

function ResultText({ step }: { readonly step: Extract<ReplayStep, { type: 'end' }> }) {
  const totals = { player: String(step.player), banker: String(step.banker) };
  return (
    <HandOrTieSign side={step.winner}>
      {promptText({ code: `result-${step.winner}`, with: totals, by: null })}
    </HandOrTieSign>
  );
}

/** The cards in the slots that the table of play gives them. If the preview was refused, the refusal follows. */
function ReplayList({
  order,
  set,
  laid,
  preview,
}: Pick<Props, 'order' | 'set' | 'preview'> & { readonly laid: readonly string[] }) {
  const r = rulingStrings().rebuild;
  const resultAsLaid = replaySteps(laid).at(-1)!;
  let n = 0;
  return (
    <ol class="playlist" data-testid="playlist">
      {replaySteps(order.cards).map((step, index) =>
        'card' in step ? (
          <li key={index}>
            <span class="n">{++n}</span>
            <SmallCard card={step.card} size="xs" />
            <span class={step.type === 'over' ? 'short' : ''}>
              <StepText step={step} />
            </span>
            <b>{step.type === 'card' ? step.slot : '+'}</b>
          </li>
        ) : (
          <li key={index}>
            <span class={step.type === 'end' ? 'rule end' : 'rule'}>
              <StepText step={step} />
            </span>
          </li>
        ),
      )}
      <li>
        <span class="rule">
          {r.read} <StepText step={resultAsLaid} />
        </span>
      </li>
      {preview.state === 'refused' && (
        <li>
          <span class="rule short" role="status">
            {staffRefusalText(preview.code, preview.message)}
          </span>
        </li>
      )}
      <li>
        <button
          type="button"
          class="rule row unseen"
          role="switch"
          aria-checked={order.unseen}
          onClick={clickHandlerWithBlur(() => set({ ...order, unseen: !order.unseen }))}
        >
          <span class={`toggle${order.unseen ? ' on' : ''}`} />
          <span>
            {r.unseen} <KeyCap>U</KeyCap>
            <small>{r.unseenMore}</small>
          </span>
        </button>
      </li>
    </ol>
  );
}
