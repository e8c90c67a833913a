import { computed } from '@preact/signals';
import { type Game } from '../../../../rules/game.ts';
import { type Spot } from '../../../../wire/tableView.ts';
import { gameByVersionedId } from '../../../shared/text/oddsText.ts';
import { language } from '../../../shared/text/language.ts';
import { wagerTerms } from '../../../shared/text/wagerTerms.ts';
import { type LayoutBox, type NumberStrip, bettingLayoutOf, winningTotalOfStripWager } from './bettingLayouts.ts';
import { patronStrings as common } from '../../app/strings.ts';
import { BilingualText } from '../../../shared/text/bilingualText.tsx';
import { tableGame as played, offeredSpots } from '../viewSignals.ts';
import { screenShape, layoutWidthOf } from '../screenShape.ts';
import { NumberSpotButton, SpotButton, hasManyTerms, spotLimitsText } from './spot.tsx';
import { tableScreenStrings } from '../strings.ts';

type Offered = { readonly game: Game; readonly spotOf: (wager: string) => Spot };

function Part({ box, offered }: { box: LayoutBox; offered: Offered }) {
  const { game, spotOf } = offered;
  if ('wager' in box) return <SpotButton spot={spotOf(box.wager)} wager={game.wagers[box.wager]!} />;
  const sizes = box.parts.map(({ size }) => `minmax(0, ${size}fr)`).join(' ');
  const style = box.split === 'row' ? { gridTemplateColumns: sizes } : { gridTemplateRows: sizes };
  return (
    <div class={`split split-${box.split}`} style={style}>
      {box.parts.map((part, n) => (
        <Part key={'wager' in part ? part.wager : n} box={part} offered={offered} />
      ))}
    </div>
  );
}

const names = { tie: { en: 'Tie', zh: '和' }, banker: { en: 'Banker', zh: '庄' }, player: { en: 'Player', zh: '闲' } };

/** The number strip of one side. Limits that all its spots share are shown once, beside the name of the strip. */
function StripRow({ strip: { side, wagers }, offered }: { strip: NumberStrip; offered: Offered }) {
  const t = tableScreenStrings();
  const { game, spotOf } = offered;
  const limits = new Set(wagers.map((wager) => spotLimitsText(spotOf(wager))));
  const isSame = limits.size === 1;
  return (
    <div
      class={`strip strip-${side}${wagers.length % 5 === 0 ? ' is-whole' : ''}`}
      style={{ '--numbers': wagers.length }}
      role="group"
      aria-label={names[side].en}
    >
      <span class="strip-name">
        <b>
          <BilingualText {...names[side]} />
        </b>
        <small>
          <span class="strip-on">{t.winsOn}</span>
          {isSame && <span class="strip-limit"> {[...limits][0]}</span>}
        </small>
      </span>
      {wagers.map((wager) => (
        <NumberSpotButton
          key={wager}
          spot={spotOf(wager)}
          wager={game.wagers[wager]!}
          total={winningTotalOfStripWager(wager)!}
          limits={!isSame}
        />
      ))}
    </div>
  );
}

/** The wagers that the table offers, and their layout; null if this page does not know the game. */
const printed = computed(() => {
  const game = gameByVersionedId(played.value.version);
  if (game === undefined) return null;
  const spots = new Map(offeredSpots.value.map((spot) => [spot.wager, spot]));
  const offered: Offered = { game, spotOf: (wager) => spots.get(wager)! };
  return { offered, ...bettingLayoutOf(game.id, [...spots.keys()], layoutWidthOf(screenShape.value)) };
});

/** True when the layout has number strips. Other parts of the screen then get smaller. */
export const hasNumberStrips = computed(() => (printed.value?.strips.length ?? 0) > 0);
export const hasSpotWithManyTerms = computed(() => {
  const game = printed.value?.offered.game;
  return (
    game !== undefined &&
    offeredSpots.value.some(({ wager }) => hasManyTerms(wagerTerms(game.wagers[wager]!, language.value)))
  );
});

export function BettingArea() {
  const t = tableScreenStrings();
  if (printed.value === null) return <p class="outdated">{common().reload}</p>;
  const { offered, box, strips } = printed.value;
  return (
    <section class={`island${strips.length > 0 ? ' has-strips' : ''}`} aria-label={t.bets}>
      {box !== null && (
        <div class="spots">
          <Part box={box} offered={offered} />
        </div>
      )}
      {strips.length > 0 && (
        <div class="strips">
          {strips.map((strip) => (
            <StripRow key={strip.side} strip={strip} offered={offered} />
          ))}
        </div>
      )}
    </section>
  );
}
