import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type FloorView, type Waits } from '../../../../wire/staff/views.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { clockText, fragmentOf } from '../../kit/text/timeText.ts';
import { words as kitWords } from '../../kit/text/strings.ts';
import { staff } from '../../app/connection.ts';
import { go } from '../../app/router.ts';
import { seen } from '../../app/state.ts';
import { Figures } from './floorTotals.tsx';
import { Queue, addressOf } from './workQueue.tsx';
import { Tables } from './tableList.tsx';
import { words } from './strings.ts';

/** The row of the list that J and K have come to. */
const place = signal(0);

const nothing: FloorView = { tables: [], waiting: [], since: 0, voids: 0, corrected: 0, signed: null };

/** All tables, and the queue of what waits for a person. */
export function Page() {
  const t = words();
  useEffect(() => {
    staff.lookAround(true);
    return () => staff.lookAround(false);
  }, []);
  const floor = seen.value.floor ?? nothing;
  const { tables, waiting } = floor;
  useFloorKeys(tables, waiting);
  return (
    <Frame name="floor">
      <h1 class="spoken">{kitWords().nav['floor']}</h1>
      <Figures floor={floor} />
      <Queue waiting={waiting} />
      <Tables tables={tables} waiting={waiting} place={place.value} choose={(to) => (place.value = to)} />
      <footer class="hints" aria-hidden="true">
        <span>
          <kbd>1</kbd>–<kbd>9</kbd> {t.open}
        </span>
        <span>
          <kbd>J</kbd> <kbd>K</kbd> {t.keys.move}
        </span>
        <span>
          <kbd>Enter</kbd> {t.keys.table}
        </span>
        <span>
          <kbd>G</kbd> {t.keys.page}
        </span>
        <span>
          <kbd>?</kbd> {t.keys.all}
        </span>
        {floor.signed !== null && (
          <>
            <span class="grow" />
            <span data-testid="signed">{t.signed(clockText(floor.signed.at), fragmentOf(floor.signed.hash))}</span>
          </>
        )}
      </footer>
    </Frame>
  );
}

function useFloorKeys(tables: FloorView['tables'], waiting: readonly Waits[]): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null) return;
    const key = event.key.toUpperCase();
    const last = tables.length - 1;
    if (/^[1-9]$/.test(key)) {
      const one = waiting[Number(key) - 1];
      if (one) go(addressOf(one));
    } else if (key === 'J' || key === 'ARROWDOWN') place.value = Math.min(place.value + 1, last);
    else if (key === 'K' || key === 'ARROWUP') place.value = Math.max(0, place.value - 1);
    else if (key === 'ENTER' && tables[place.value]) go(`/floor/${encodeURIComponent(tables[place.value]!.table)}`);
    else return;
    event.preventDefault();
  });
}
