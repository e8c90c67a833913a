import { type Tile } from '../wire/views.ts';
import { Header, LinkNotice, Refusal } from './frame.tsx';
import { gameName } from './names.ts';
import { BigRoad } from './roads.tsx';
import { link, secondsTo, tiles } from './state.ts';
import { words } from './words.ts';

function TileLink({ tile }: { tile: Tile }) {
  const t = words();
  const open = tile.phase === 'betting' || tile.phase === 'closing';
  const phase = tile.stopped ? t.stopped : t.phases[tile.phase];
  const name = gameName(tile.table, tile.name);
  return (
    <a class="tile" href={`#/table/${tile.table}`} aria-label={`${t.sitDown} ${name}`} data-table={tile.table}>
      <span class="name">{name}</span>
      <span class={open ? 'phase open' : 'phase'}>
        {phase}
        {open && tile.closesAt !== null && <b class="count">{secondsTo(tile.closesAt)}</b>}
      </span>
      <BigRoad cells={tile.big} columns={16} />
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
    <>
      <Header title={t.title} />
      <LinkNotice />
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
    </>
  );
}
