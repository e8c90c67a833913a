import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatShortMoney } from '../../../base/formatMoney.ts';
import { type LobbyTile } from '../../../wire/tableView.ts';
import { Icon } from '../../shared/widgets/icons.tsx';
import { language } from '../../shared/text/language.ts';
import { gameName, bilingualShortGameName } from '../../shared/text/gameNames.ts';
import { roadsFromResults } from '../../shared/roads/roadsFromResults.ts';
import { CountdownRing } from '../../shared/widgets/countdownRing.tsx';
import { BigRoad } from '../../shared/roads/roads.tsx';
import { patronClient } from '../app/connection.ts';
import { patronServerTimeMs, terminalViewSignal, openTableId, terminalMoneyState, tableTiles } from '../app/state.ts';
import { type PublicTableStatus, isOpenUntilDealerCall } from '../../shared/text/tableStatus.ts';
import { secondsRoundedUp, tileStatus, countWins } from './tileStatus.ts';
import { lobbyStrings } from './strings.ts';

const phone = matchMedia('(max-width: 640px)');
const upright = matchMedia('(max-aspect-ratio: 1/1)');
const square = matchMedia('(max-aspect-ratio: 3/2)');
const uprightColumns = 22;
/**
 * Columns of a tile's road on an upright screen while a table is open. The rail of the table leaves less height, and
 * more columns make the road lower.
 */
const uprightColumnsAboveRail = 30;
const columnsNow = (): number => (phone.matches ? 12 : upright.matches ? uprightColumns : square.matches ? 10 : 12);
/** Columns of the road on a tile: as many as fit with legible marks. */
const columns = signal(columnsNow());
for (const query of [phone, upright, square]) query.addEventListener('change', () => (columns.value = columnsNow()));
const roadColumns = (): number =>
  columns.value === uprightColumns && openTableId.value !== null ? uprightColumnsAboveRail : columns.value;

function Score({ tile, isFinal }: { tile: LobbyTile; isFinal: boolean }) {
  const t = lobbyStrings();
  if (tile.totals === null) return null;
  const winner = isFinal ? (tile.winner ?? '') : '';
  return (
    <span class={`tile-score${winner === '' ? '' : ` is-final-${winner}`}`}>
      <b class="is-player">
        <i>{t.letters.player}</i> {tile.totals.player}
      </b>
      <b class="is-banker">
        <i>{t.letters.banker}</i> {tile.totals.banker}
      </b>
    </span>
  );
}

function TileStatusMark({ tile, status }: { tile: LobbyTile; status: PublicTableStatus }) {
  // While bets stay open until the dealer's call, there is no countdown.
  if (status.kind === 'open' && !isOpenUntilDealerCall(tile, status)) {
    return <CountdownRing left={status.left} total={tile.bettingTime} />;
  }
  if (status.kind === 'shoe') {
    return (
      <span class="shuffling" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
    );
  }
  return isOpenUntilDealerCall(tile, status) ? null : <Score tile={tile} isFinal={status.kind === 'won'} />;
}

/**
 * Second line of a tile. While bets are open: that they stay open until the dealer's call, or the last result. During
 * the deal: that cards are being dealt. At other times: when bets open next.
 */
function Line({ tile, status }: { tile: LobbyTile; status: PublicTableStatus }) {
  const t = lobbyStrings();
  const isOpen = status.kind === 'open';
  const waitsForCall = isOpenUntilDealerCall(tile, status);
  const opens = tile.opensAt === null ? '' : t.opensIn(secondsRoundedUp(tile.opensAt - patronServerTimeMs.value));
  return (
    <span class="tile-line">
      {waitsForCall && <span>{t.untilCalled}</span>}
      {isOpen && !waitsForCall && tile.totals !== null && <span>{t.lastHand}</span>}
      {isOpen && !waitsForCall && <Score tile={tile} isFinal />}
      {status.kind === 'shut' ? <span>{t.dealing}</span> : !isOpen && <span>{opens}</span>}
      <span class="tile-game">#{tile.number ?? '–'}</span>
    </span>
  );
}

function Parts({ tile }: { tile: LobbyTile }) {
  const t = lobbyStrings();
  const won = countWins(tile.results);
  return (
    <span class="parts">
      {tile.results.length === 0 ? (
        <span class="part is-none">{t.noResults}</span>
      ) : (
        (['player', 'tie', 'banker'] as const).map((hand) => (
          <span key={hand} class={`part is-${hand}`} style={{ '--n': won[hand], '--of': tile.results.length }}>
            <i>{t.letters[hand]}</i> {won[hand]}
          </span>
        ))
      )}
    </span>
  );
}

function statusText(status: PublicTableStatus): string {
  const t = lobbyStrings();
  switch (status.kind) {
    case 'open':
      return t.placeBets;
    case 'shut':
      return t.noMoreBets;
    case 'won':
      return t.wins[status.winner];
    case 'void':
      return t.isVoid;
    case 'shoe':
      return t.newShoe;
    case 'soon':
      return t.soon;
    case 'dealer':
      return t.dealer;
    case 'closed':
      return t.closed;
    case 'stopped':
      return t.stopped;
    case 'cannot-record':
      return t.cannotRecord;
  }
}

/**
 * Status of a table. Only open bets have the green lamp. A result has a bead with the letter of the winner instead of a
 * lamp.
 */
function StatusLine({ status }: { status: PublicTableStatus }) {
  const t = lobbyStrings();
  return (
    <span class={`tile-status is-${status.kind}`}>
      {status.kind === 'won' ? (
        <i class={`lamp-bead is-${status.winner}`} aria-hidden="true">
          {t.letters[status.winner]}
        </i>
      ) : (
        <i class="lamp" aria-hidden="true" />
      )}
      {statusText(status)}
    </span>
  );
}

const rangeText = ([minimum, maximum]: readonly [number, number]): string =>
  `${formatShortMoney(minimum)} – ${formatShortMoney(maximum)}`;

function Foot({ tile, status, stake }: { tile: LobbyTile; status: PublicTableStatus; stake: number }) {
  const t = lobbyStrings();
  return (
    <span class="tile-foot">
      <StatusLine status={status} />
      {stake > 0 ? (
        <span class="tile-mine">
          {t.yourBet} <b>{formatShortMoney(stake)}</b>
        </span>
      ) : (
        <>
          <span class="tile-limit">{rangeText(tile.limits.main)}</span>
          <span class="tile-seated">
            <Icon name="patrons" />
            {tile.patrons}
          </span>
        </>
      )}
    </span>
  );
}

/** Text of the whole tile in one sentence, for screen readers. */
function labelOf(tile: LobbyTile, status: PublicTableStatus, stake: number): string {
  const t = lobbyStrings();
  const { limits, patrons, table } = tile;
  const waitsForCall = isOpenUntilDealerCall(tile, status);
  const time =
    status.kind !== 'open'
      ? ''
      : waitsForCall
        ? `, ${t.untilCalled}`
        : `, ${t.secondsLeft(secondsRoundedUp(status.left))}`;
  const [action, chips] = tile.bets === 'chips' ? [t.watch, `, ${t.withChips}`] : [t.sitDown, ''];
  const mine = stake > 0 ? `, ${t.yourBet} ${formatShortMoney(stake)}` : '';
  return (
    `${action} ${gameName(tile.game, tile.name)}, ${t.table} ${table}${chips}: ${statusText(status)}${time}, ` +
    `${t.limits} ${rangeText(limits.main)}, ${t.patrons(patrons)}${mine}`
  );
}

/**
 * The terminal's stake at a table. For the table on the screen, the stake comes from the terminal's own view, which is
 * newer than the balance.
 */
function stakeAt(table: string, isMine: boolean): number {
  const openStakes = terminalMoneyState.value?.openStakes.filter((one) => one.table === table) ?? [];
  return isMine ? (terminalViewSignal.value?.stake ?? 0) : openStakes.reduce((sum, one) => sum + one.stake, 0);
}

function TileLink({ tile, isMine }: { tile: LobbyTile; isMine: boolean }) {
  const t = lobbyStrings();
  const status = tileStatus(tile, patronServerTimeMs.value);
  const name = bilingualShortGameName(tile.game, tile.name);
  const stake = stakeAt(tile.table, isMine);
  const won = status.kind === 'won' ? ` won-${status.winner}` : '';
  return (
    <a
      class={`tile${won}${isMine || stake > 0 ? ' is-mine' : ''}`}
      // If patrons bet with chips on the felt, the tile leads to the display of the table instead of a seat.
      href={tile.bets === 'chips' ? `display/${tile.table}` : `#/table/${tile.table}`}
      aria-label={labelOf(tile, status, stake)}
      {...(isMine ? { 'aria-current': 'true' as const } : {})}
      data-table={tile.table}
      data-felt={tile.theme.felt}
    >
      <span class="tile-head">
        <span class="tile-name">
          <b>{name[language.value]}</b>
          <small>
            <span class="tile-no">
              {t.table} {tile.table}
            </span>
            {language.value === 'en' && <span lang="zh-Hans">{name.zh}</span>}
            {tile.attended && <span>{t.dealt[tile.bets]}</span>}
          </small>
        </span>
        <span class="tile-now">
          <TileStatusMark tile={tile} status={status} />
        </span>
      </span>
      <Line tile={tile} status={status} />
      <BigRoad roads={roadsFromResults(tile.results)} columns={roadColumns()} still />
      <Parts tile={tile} />
      <Foot tile={tile} status={status} stake={stake} />
    </a>
  );
}

/**
 * Tiles of all tables, in the lobby and at a table. A tile has a brass edge if the patron has a seat or a stake at the
 * table of the tile.
 */
export function TableTiles() {
  const seat = openTableId.value;
  useEffect(() => {
    if (seat === null) return undefined;
    patronClient.watchTables(true);
    return () => patronClient.watchTables(false);
  }, [seat]);
  return (
    <nav class="tiles" aria-label={lobbyStrings().tables}>
      {tableTiles.value.map((tile) => (
        <TileLink key={tile.table} tile={tile} isMine={tile.table === seat} />
      ))}
    </nav>
  );
}
