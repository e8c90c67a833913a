import { type Tile } from '../../wire/views.ts';
import { Header, Lamp, Refusal } from './frame.tsx';
import { gameName } from '../shared/names.ts';
import { BigRoad } from '../shared/roads.tsx';
import { roadsFrom } from '../shared/results.ts';
import { resultFrom } from '../../wire/results.ts';
import { link, secondsTo, tiles } from './state.ts';
import { standstill, words } from './words.ts';

const letters = { banker: 'b', player: 'p', tie: 't' } as const;

/** How the shoe has gone so far. */
function Score({ tile }: { tile: Tile }) {
  const t = words();
  const results = tile.results.map(resultFrom);
  const last = results.at(-1)?.winner;
  return (
    <span class="score">
      {(['banker', 'player', 'tie'] as const).map((hand) => (
        <span key={hand} class={letters[hand]}>
          {t[hand]} <b>{results.filter(({ winner }) => winner === hand).length}</b>
        </span>
      ))}
      <span class="last">
        {t.lastResult} <b class={last && letters[last]}>{last ? t[last] : '–'}</b>
      </span>
    </span>
  );
}

function TileLink({ tile }: { tile: Tile }) {
  const t = words();
  const open = tile.stopped === null && (tile.phase === 'betting' || tile.phase === 'closing');
  const phase = tile.stopped === null ? t.phases[tile.phase] : standstill(tile.stopped);
  const name = gameName(tile.game, tile.name);
  return (
    <a
      class="tile"
      href={`#/table/${tile.table}`}
      aria-label={`${t.sitDown} ${name}, ${t.table} ${tile.table}`}
      data-table={tile.table}
    >
      <span class="name">{name}</span>
      <span class="quiet">
        {t.table} {tile.table}
      </span>
      <span class={open ? 'phase open' : 'phase'}>
        {phase}
        {open && tile.closesAt !== null && <b class="count">{secondsTo(tile.closesAt)}</b>}
      </span>
      <BigRoad roads={roadsFrom(tile.results)} columns={14} still />
      <Score tile={tile} />
      <span class="quiet">
        {t.game} {tile.number ?? '–'}
      </span>
    </a>
  );
}

/** All tables at a glance. */
export function Lobby() {
  const t = words();
  return (
    <div class="lobby-page">
      <Header title={t.title}>
        <Lamp />
      </Header>
      <main class="lobby">
        <h1>{t.lobbyTitle}</h1>
        <p>{t.lobbyHint}</p>
        <div class="tiles">
          {tiles.value.map((tile) => (
            <TileLink key={tile.table} tile={tile} />
          ))}
        </div>
        {tiles.value.length === 0 && link.value !== 'lost' && <p class="quiet">{t.joining}</p>}
        <p class="quiet">
          {t.demoNotice} {t.roadNotice}
        </p>
      </main>
      <Refusal />
    </div>
  );
}
