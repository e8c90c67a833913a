import { type ReturnDeviation, returnDeviationOf } from '../../../../odds/returnDeviation.ts';
import { type GameMeters, type WagerTotal } from '../../../../wire/staff/roundTypes.ts';
import { type MeterRow } from './page.tsx';
import { type ExpectedReturns } from './expectedReturn.ts';
import { metersStrings } from './strings.ts';

/** Number of standard deviations with its sign: +0.33, −2.41. */
export const standardDeviationsText = (z: number): string => `${z < 0 ? '−' : '+'}${Math.abs(z).toFixed(2)}`;

/** Width of one standard deviation, in units of the drawing. Deviations of more than four are drawn at four. */
const unit = 36;
const middle = 150;
const xOf = (z: number): number => middle + unit * Math.max(-4, Math.min(4, z));

/**
 * Control chart: the actual return as a point on bands of two and three standard deviations around the expected return.
 */
export function ControlChart({ control: { theory, deviation, z } }: { readonly control: ReturnDeviation }) {
  const t = metersStrings();
  const at = (count: number): string => (100 * (theory + count * deviation)).toFixed(1);
  return (
    <svg class="plot" viewBox="0 0 300 44" role="img" aria-label={t.from(standardDeviationsText(z))}>
      <rect class="band3" x={xOf(-3)} y="12" width={6 * unit} height="16" />
      <rect class="band2" x={xOf(-2)} y="12" width={4 * unit} height="16" />
      <path class="mean" d={`M${middle} 8v24`} />
      <circle class={Math.abs(z) > 2 ? 'far' : ''} cx={xOf(z)} cy="20" r="5.5" />
      {([-2, 0, 2] as const).map((count) => (
        <text key={count} x={xOf(count)} y="42" text-anchor="middle">
          {at(count)}
        </text>
      ))}
    </svg>
  );
}

const noTotal: WagerTotal = { rounds: 0, stakes: 0, staked: 0, returned: 0, squares: '0' };

const addTotals = (one: WagerTotal, other: WagerTotal): WagerTotal => ({
  rounds: one.rounds + other.rounds,
  stakes: one.stakes + other.stakes,
  staked: one.staked + other.staked,
  returned: one.returned + other.returned,
  squares: String(BigInt(one.squares) + BigInt(other.squares)),
});

type DailyProps = { readonly game: GameMeters; readonly row: MeterRow; readonly odds: ExpectedReturns[string] };

/** Chart of the cumulative deviation of one wager, day by day. */
export function DailyDeviationChart({ game: { days }, row: { wager, name }, odds }: DailyProps) {
  const t = metersStrings();
  let sum = noTotal;
  const points = days.flatMap(({ day, wagers }) => {
    sum = addTotals(sum, wagers[wager] ?? noTotal);
    const control = returnDeviationOf(sum, odds);
    return control ? [{ day, z: control.z, theory: control.theory }] : [];
  });
  const last = points.at(-1);
  if (last === undefined) return null;
  const deviations = Math.abs(last.z);
  const x = (n: number): number => 30 + (points.length === 1 ? 352 : (352 * n) / (points.length - 1));
  const y = (z: number): number => 95 - 26 * Math.max(-3.4, Math.min(3.4, z));
  return (
    <section class="panel">
      <header>
        <h2>{t.daily(name)}</h2>
        <span class="grow" />
        <span class={`tag${deviations > 2 ? ' attn' : ''}`}>
          {deviations > 3 ? t.far : deviations > 2 ? t.outside : t.inside}
        </span>
      </header>
      <svg class="daily" viewBox="0 0 392 190" role="img" aria-label={t.daily(name)}>
        <rect class="band2" x="30" y={y(2)} width="352" height={y(-2) - y(2)} />
        <path class="edge" d={`M30 ${y(3)}H382M30 ${y(-3)}H382`} />
        <path class="mean" d={`M30 ${y(0)}H382`} />
        <polyline points={points.map(({ z }, n) => `${x(n).toFixed(1)},${y(z).toFixed(1)}`).join(' ')} />
        <circle class={deviations > 2 ? 'far' : ''} cx={x(points.length - 1)} cy={y(last.z)} r="5" />
        {([3, 2, 0, -2, -3] as const).map((z) => (
          <text key={z} x="24" y={y(z) + 4} text-anchor="end">
            {z > 0 ? `+${z}` : z < 0 ? `−${-z}` : '0'}
          </text>
        ))}
        <text x="30" y="188">
          {points[0]!.day}
        </text>
        <text x="382" y="188" text-anchor="end">
          {last.day}
        </text>
      </svg>
      <p class="q pad-in">{t.explain((100 * last.theory).toFixed(2))}</p>
    </section>
  );
}
