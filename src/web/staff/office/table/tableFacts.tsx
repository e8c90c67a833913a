import { formatMoney } from '../../../../base/formatMoney.ts';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { isConnectionUnusable } from '../../app/state.ts';
import { tableStrings } from './strings.ts';

type Shortfall = SupervisorView['shortfalls'][number];
type Props = {
  readonly view: SupervisorView;
  readonly onShortfall: ((type: 'collect' | 'writeOff', shortfall: Shortfall) => void) | undefined;
};

export function TableFacts({ view, onShortfall }: Props) {
  const t = tableStrings();
  const { shoe } = view;
  const figures: readonly (readonly [string, string])[] = [
    [t.slips, view.slips.toLocaleString('en')],
    [t.bettors, view.bettors.toLocaleString('en')],
    [t.staked, formatMoney(view.staked)],
    [t.lost, String(view.terminalsDisconnected)],
    ...view.unpaid.map(({ posted, slips }) => [t.unpaid, t.ofSlips(posted, slips)] as const),
    ...(view.frozen.length > 0 ? [[t.disputed, String(view.frozen.length)] as const] : []),
  ];
  const shoeFigures: readonly (readonly [string, string])[] =
    shoe === null
      ? []
      : [
          [t.out, t.ofCards(shoe.out, shoe.size)],
          [t.toCut, shoe.cuttingCardOut ? t.isOut : shoe.toCut === null ? '–' : String(shoe.toCut)],
          [t.rounds, String(shoe.rounds)],
        ];
  const list = (all: readonly (readonly [string, string])[]) => (
    <dl class="kv">
      {all.map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
  return (
    <section class="panel scrolls" tabIndex={0} aria-label={t.opened} data-testid="facts">
      <header>
        <h2>{t.opened}</h2>
        <span class="grow" />
        <span class="q">{view.currency}</span>
      </header>
      {list(figures)}
      <header>
        <h2>
          {t.shoe} {shoe?.id ?? t.noShoe}
        </h2>
        <span class="grow" />
        {shoe !== null && shoe.lockedBy !== null && (
          <>
            <span class="tag attn">{t.locked}</span> <ClauseTag by={shoe.lockedBy} />
          </>
        )}
      </header>
      {list(shoeFigures)}
      {view.shortfalls.length > 0 && (
        <>
          <header>
            <h2>{t.shortfalls}</h2>
            <span class="grow" />
            <ClauseTag by="HOUSE 10" />
          </header>
          {view.shortfalls.map((shortfall) => (
            <div key={`${shortfall.terminal} ${shortfall.round}`} class="owed">
              <span class="grow short">
                {t.owes(shortfall.terminal, formatMoney(shortfall.amount), shortfall.round)}
              </span>
              <button
                type="button"
                class="btn small"
                data-act="collect"
                disabled={onShortfall === undefined || isConnectionUnusable.value}
                onClick={() => onShortfall?.('collect', shortfall)}
              >
                {t.collect}
              </button>
              <button
                type="button"
                class="btn small"
                data-act="write-off"
                disabled={onShortfall === undefined || isConnectionUnusable.value}
                onClick={() => onShortfall?.('writeOff', shortfall)}
              >
                {t.writeOff}
              </button>
            </div>
          ))}
        </>
      )}
    </section>
  );
}
