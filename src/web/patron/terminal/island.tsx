import { type Game } from '../../../rules/game.ts';
import { type Spot } from '../../../wire/views.ts';
import { gameOf } from '../../shared/figures.ts';
import { type Box, type Strip, islandOf, totalIn } from '../islands.ts';
import { words as common } from '../words.ts';
import { Bi } from '../../shared/bi.tsx';
import { game as ofTable, layout } from './parts.ts';
import { shape, widthOf } from './shape.ts';
import { NumberButton, SpotButton, limitsOf } from './spot.tsx';
import { words } from './words.ts';

type Offered = { readonly game: Game; readonly spotOf: (wager: string) => Spot };

function Part({ box, offered }: { box: Box; offered: Offered }) {
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

/** The numbers of one side. Where all have the same limits these stand once, beside the name. */
function StripRow({ strip: { side, wagers }, offered }: { strip: Strip; offered: Offered }) {
  const t = words();
  const { game, spotOf } = offered;
  const limits = new Set(wagers.map((wager) => limitsOf(spotOf(wager))));
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
          <Bi {...names[side]} />
        </b>
        <small>
          <span class="strip-on">{t.winsOn}</span>
          {isSame && <span class="strip-limit"> {[...limits][0]}</span>}
        </small>
      </span>
      {wagers.map((wager) => (
        <NumberButton
          key={wager}
          spot={spotOf(wager)}
          wager={game.wagers[wager]!}
          total={totalIn(wager)!}
          limits={!isSame}
        />
      ))}
    </div>
  );
}

/** Every wager on offer, where the data of its game has it. */
export function Island() {
  const t = words();
  const played = gameOf(ofTable.value.version);
  if (played === undefined) return <p class="outdated">{common().reload}</p>;
  const spots = new Map(layout.value.map((spot) => [spot.wager, spot]));
  const offered: Offered = { game: played, spotOf: (wager) => spots.get(wager)! };
  const { box, strips } = islandOf(played.id, [...spots.keys()], widthOf(shape.value));
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
