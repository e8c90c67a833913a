import { useId, useMemo } from 'preact/hooks';
import { formatShortMoney } from '../../../base/formatMoney.ts';
import { type ChipStyle, chipText, chipsForStake, chipPlacement, chipStyleOf } from './chipStacks.ts';

/** Gloss of a chip, with light from above left. Every SVG on the page needs a gradient id of its own. */
function Gloss({ id }: { id: string }) {
  return (
    <radialGradient id={id} cx=".38" cy=".22" r=".85">
      <stop offset="0" stop-color="#fff" stop-opacity=".34" />
      <stop offset=".45" stop-color="#fff" stop-opacity=".04" />
      <stop offset="1" stop-color="#000" stop-opacity=".22" />
    </radialGradient>
  );
}

const valueClass = (text: string): string => `chip-value n${Math.min(text.length, 5)}`;

export function ChipFace({ value }: { value: number }) {
  const gloss = useId();
  const { base, dark, insert, text, plate } = chipStyleOf(value);
  const label = chipText(value);
  return (
    <svg class="chip" viewBox="0 0 100 100" aria-hidden="true">
      <Gloss id={gloss} />
      <circle cx="50" cy="50" r="49" fill={dark} />
      <circle cx="50" cy="49" r="48" fill={base} />
      <g fill="none" stroke-width="11">
        <circle
          cx="50"
          cy="49"
          r="42.5"
          stroke={insert}
          pathLength={160}
          stroke-dasharray="10 10"
          stroke-dashoffset="5"
        />
        <circle
          cx="50"
          cy="49"
          r="42.5"
          stroke={dark}
          stroke-width="3"
          pathLength={160}
          stroke-dasharray="2.4 17.6"
          stroke-dashoffset="-8.8"
          opacity=".75"
        />
      </g>
      <circle cx="50" cy="49" r="35" fill={dark} opacity=".55" />
      <circle cx="50" cy="49" r="33" fill={plate} />
      <circle cx="50" cy="49" r="29.5" fill="none" stroke={text} stroke-opacity=".4" stroke-dasharray="1.6 3" />
      <circle cx="50" cy="49" r="48" fill={`url(#${gloss})`} />
      <text class={valueClass(label)} x="50" y="60" text-anchor="middle" fill={text}>
        {label}
      </text>
    </svg>
  );
}

/** Vertical distance between two chips of a stack, in units of the drawing. */
const step = 9.5;
const thickness = 11;

/** Path of the inserts that are visible on the edge of a rotated chip. */
function edgeOf(turn: number): string {
  const at = (angle: number, down = 0): string =>
    `${(50 - 48 * Math.cos(angle)).toFixed(1)} ${(31 + down + 29 * Math.sin(angle)).toFixed(1)}`;
  let path = '';
  for (let n = 0; n < 7; n++) {
    const begin = (n - 0.5 + turn / 2) * 0.55;
    const [from, to] = [Math.max(0, begin), Math.min(begin + 0.27, Math.PI)];
    if (to > from) path += `M${at(from)}A48 29 0 0 0 ${at(to)}v${thickness}A48 29 0 0 1 ${at(from, thickness)}Z`;
  }
  return path;
}

type ChipOnFeltProps = { style: ChipStyle; up: number; offset: number; turn: number };

function ChipOnFelt({ style: { base, dark, insert }, up, offset, turn }: ChipOnFeltProps) {
  return (
    <g transform={`translate(${(offset * 1.5).toFixed(2)} ${-up})`}>
      <path d={`M2 31v${thickness}a48 29 0 0 0 96 0V31Z`} fill={dark} />
      <path d={edgeOf(turn)} fill={insert} opacity=".92" />
      <path d="M2 42a48 29 0 0 0 96 0" fill="none" stroke="#000" stroke-opacity=".35" stroke-width="1.5" />
      <ellipse cx="50" cy="31" rx="48" ry="29" fill={base} />
      <ellipse
        cx="50"
        cy="31"
        rx="42"
        ry="25"
        fill="none"
        stroke={insert}
        stroke-width="9.5"
        pathLength={160}
        stroke-dasharray="10 10"
        stroke-dashoffset={(turn * 10).toFixed(1)}
      />
    </g>
  );
}

function Top({ value, up, offset, gloss }: { value: number; up: number; offset: number; gloss: string }) {
  const { dark, plate, text } = chipStyleOf(value);
  const label = chipText(value);
  return (
    <g transform={`translate(${(offset * 1.5).toFixed(2)} ${-up})`}>
      <ellipse cx="50" cy="31" rx="34" ry="20.4" fill={dark} opacity=".6" />
      <ellipse cx="50" cy="31" rx="32" ry="19" fill={plate} />
      <ellipse cx="50" cy="31" rx="48" ry="29" fill={`url(#${gloss})`} />
      <text class={valueClass(label)} transform="translate(50 39) scale(1 .74)" text-anchor="middle" fill={text}>
        {label}
      </text>
    </g>
  );
}

/** Drawing of a stack of chips. The largest chip is at the bottom. */
function Chips({ amount, tray }: { amount: number; tray: readonly number[] }) {
  const id = useId();
  return useMemo(() => {
    const chips = chipsForStake(amount, tray);
    const high = (chips.length - 1) * step;
    const height = 76 + high;
    const placements = chips.map((value, place) => ({ value, up: place * step, ...chipPlacement(value, place) }));
    const { value, up, offset } = placements.at(-1)!;
    return (
      <svg
        class="stack-chips"
        viewBox={`0 ${-high} 100 ${height}`}
        style={{ '--high': height / 100 }}
        aria-hidden="true"
        data-chips={chips.length}
      >
        <Gloss id={`${id}g`} />
        <radialGradient id={`${id}s`}>
          <stop offset=".6" stop-opacity=".5" />
          <stop offset="1" stop-opacity="0" />
        </radialGradient>
        <ellipse cx="52" cy="46" rx="50" ry="29" fill={`url(#${id}s)`} />
        {placements.map((placement) => (
          <ChipOnFelt
            key={placement.up}
            style={chipStyleOf(placement.value)}
            up={placement.up}
            offset={placement.offset}
            turn={placement.turn}
          />
        ))}
        <Top value={value} up={up} offset={offset} gloss={`${id}g`} />
      </svg>
    );
  }, [id, amount, tray.join()]);
}

type StackProps = {
  amount: number;
  tray: readonly number[];
  /** True while the stake is drawn pale, since the server has not accepted it yet. */
  pale?: boolean;
  /** Result of the stake; `back`: returned by a push or a void. */
  fate?: 'won' | 'lost' | 'back';
};

/** A stake on the felt: a stack of chips and the amount. */
export function ChipStack({ amount, tray, pale = false, fate }: StackProps) {
  return (
    <span class={`stack is-${pale ? 'pending' : (fate ?? 'placed')}`} data-stake={amount}>
      <Chips amount={amount} tray={tray} />
      <span class="stack-amount">{formatShortMoney(amount)}</span>
    </span>
  );
}
