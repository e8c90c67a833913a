import { useRef } from 'preact/hooks';
import { type RefObject } from 'preact';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { Face, rankText } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { promptText } from '../../kit/text/promptText.ts';
import { HandSign } from '../../kit/components/handSign.tsx';
import { spanText } from '../../kit/text/timeText.ts';
import { isLost, second } from '../../app/state.ts';
import { isAsking } from '../parts/commands.ts';
import { Band } from '../parts/pageBand.tsx';
import { usePageKeys, touched } from '../parts/usePageKeys.ts';
import { Reason } from '../parts/reasonField.tsx';
import { type PreviewState } from '../parts/useTable.ts';
import { type CardOrder, type ReplayStep, carried, keyed, linksOf, replaySteps } from './cardOrder.ts';
import { rulingStrings } from './strings.ts';

type Form = {
  readonly view: SupervisorView;
  readonly order: CardOrder;
  readonly set: (order: CardOrder) => void;
  readonly previewed: PreviewState;
  readonly reason: string;
  readonly setReason: (text: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly propose: () => void;
  readonly leave: () => void;
};

/** The keys of reasons that are often given. */
export const presetKeys = ['7', '8'] as const;

/** The order in which the cards left the shoe, beside how they lie. */
export function Rebuild({ view, order, set, previewed, reason, setReason, field, propose, leave }: Form) {
  const t = rulingStrings();
  const r = t.rebuild;
  const laid = view.round!.cards.map(({ card }) => card);
  const isOff = isLost.value || isAsking.value || order.cards.length === 0 || reason.trim() === '';
  usePageKeys((key, shift) => {
    if (key === 'Y') field.current?.focus();
    else if (key === 'Enter') {
      if (!isOff) propose();
    } else {
      const after = keyed(order, { key, shift }, laid, view.deck);
      if (after === order && key === 'Escape') leave();
      else if (after === order) return false;
      else set(after);
    }
    return true;
  }, 'order');
  return (
    <>
      <Band
        title={r.title(view.round!.number, view.table)}
        by={view.stopped?.by ?? null}
        facts={[
          [t.slips, String(view.slips)],
          [t.stake, formatMoney(view.staked)],
          [t.still, spanText(second.value - (view.stopped?.since ?? second.value))],
        ]}
      />
      <Lanes order={order} set={set} laid={laid} view={view} />
      <section class="panel scrolls" tabIndex={0} aria-label={r.play}>
        <header>
          <h2>{r.play}</h2>
          <span class="grow" />
          <ClauseTag by={view.clauses['play']} />
        </header>
        <Played order={order} set={set} laid={laid} previewed={previewed} />
      </section>
      <div class="do-bar">
        <Reason
          label={t.reason}
          value={reason}
          set={setReason}
          field={field}
          presets={t.presets.map((text) => ['', text] as const)}
        />
        <section class="panel">
          <button type="button" class="btn quiet" onClick={leave}>
            {r.back} <Kbd>Esc</Kbd>
          </button>
        </section>
        <button type="button" class="btn act act-big" data-testid="propose" disabled={isOff} onClick={propose}>
          {t.propose(t.names['reconstruct']!)} <Kbd>Enter</Kbd>
        </button>
      </div>
    </>
  );
}

type LanesForm = Pick<Form, 'view' | 'order' | 'set'> & { readonly laid: readonly string[] };

function Lanes({ view, order, set, laid }: LanesForm) {
  const t = rulingStrings();
  const r = t.rebuild;
  const { cards, at, adding, typed } = order;
  const links = linksOf(laid, cards);
  const count = Math.max(6, laid.length, cards.length + 1);
  const held = useRef<number | null>(null);
  const drag = ({ buttons, clientX, clientY }: PointerEvent): void => {
    const from = held.current;
    // Whoever let go elsewhere holds nothing any more.
    if (buttons === 0) held.current = null;
    if (from === null || buttons === 0) return;
    const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-place]');
    const to = Number(under?.dataset['place'] ?? from);
    if (to === from) return;
    held.current = to;
    set(carried(order, from, to));
  };
  const places: readonly (string | null)[] = adding ? cards.toSpliced(at, 0, null as never) : cards;
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
            <Face card={card} />
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
      <div class="lane" onPointerMove={drag} onPointerUp={() => (held.current = null)}>
        <h2>
          {r.left}
          <small>{r.leftMore}</small>
        </h2>
        {places.map((card, n) =>
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
              onPointerDown={() => (held.current = adding ? null : n)}
              aria-label={r.place(n + 1)}
              aria-pressed={n === at && !adding}
              class={n === at && !adding ? 'sel' : laid[n] === card ? '' : 'moved'}
              onClick={touched(() => set({ ...order, at: n, adding: false, typed: '' }))}
            >
              <Face card={card} />
              <b>{n + 1}</b>
            </button>
          ),
        )}
        {!adding && cards.length < 7 && (
          <button type="button" onClick={touched(() => set({ ...order, at: cards.length, adding: true, typed: '' }))}>
            <span class="addc">
              {r.add}
              <Kbd>Ins</Kbd>
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

/** A line of the table of play in words. */
function StepText({ step }: { readonly step: ReplayStep }) {
  const r = rulingStrings().rebuild;
  switch (step.what) {
    case 'says':
      return <>{r.rules[step.code](step.player, step.banker)}</>;
    case 'third':
      return <>{r.rules[step.code](step.banker, step.third)}</>;
    case 'over':
      return <>{r.over}</>;
    case 'due':
      return <>{r.due(step.slot)}</>;
    case 'end':
      return <Ended step={step} />;
    case 'card':
      return <>{r.slots[step.slot]}</>;
  }
}

function Ended({ step }: { readonly step: Extract<ReplayStep, { what: 'end' }> }) {
  const given = { player: String(step.player), banker: String(step.banker) };
  return <HandSign side={step.winner}>{promptText({ code: `result-${step.winner}`, with: given, by: null })}</HandSign>;
}

/** The cards as typed through the table of play, and what the table itself says to them. */
function Played({
  order,
  set,
  laid,
  previewed,
}: Pick<Form, 'order' | 'set' | 'previewed'> & { readonly laid: readonly string[] }) {
  const r = rulingStrings().rebuild;
  const before = replaySteps(laid).at(-1)!;
  let n = 0;
  return (
    <ol class="playlist" data-testid="playlist">
      {replaySteps(order.cards).map((step, line) =>
        'card' in step ? (
          <li key={line}>
            <span class="n">{++n}</span>
            <Face card={step.card} size="xs" />
            <span class={step.what === 'over' ? 'short' : ''}>
              <StepText step={step} />
            </span>
            <b>{step.what === 'card' ? step.slot : '+'}</b>
          </li>
        ) : (
          <li key={line}>
            <span class={step.what === 'end' ? 'rule end' : 'rule'}>
              <StepText step={step} />
            </span>
          </li>
        ),
      )}
      <li>
        <span class="rule">
          {r.read} <StepText step={before} />
        </span>
      </li>
      {previewed.state === 'refused' && (
        <li>
          <span class="rule short" role="status">
            {staffRefusalText(previewed.code, previewed.message)}
          </span>
        </li>
      )}
      <li>
        <button
          type="button"
          class="rule row unseen"
          role="switch"
          aria-checked={order.unseen}
          onClick={touched(() => set({ ...order, unseen: !order.unseen }))}
        >
          <span class={`toggle${order.unseen ? ' on' : ''}`} />
          <span>
            {r.unseen} <Kbd>U</Kbd>
            <small>{r.unseenMore}</small>
          </span>
        </button>
      </li>
    </ol>
  );
}
