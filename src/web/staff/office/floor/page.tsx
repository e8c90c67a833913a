import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type FloorView, type WorkItem } from '../../../../wire/staff/floorView.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { formatTimeOfDay, fragmentOf } from '../../kit/text/timeText.ts';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { staff } from '../../app/connection.ts';
import { go } from '../../app/router.ts';
import { staffState } from '../../app/state.ts';
import { FloorTotals } from './floorTotals.tsx';
import { Queue, pathFor } from './workQueue.tsx';
import { TableList } from './tableList.tsx';
import { floorStrings } from './strings.ts';

/** The row of the list that J and K have come to. */
const place = signal(0);

const nothing: FloorView = { tables: [], waiting: [], since: 0, voids: 0, corrected: 0, signed: null };

/** All tables, and the queue of what waits for a person. */
export function Page() {
  const t = floorStrings();
  useEffect(() => {
    staff.lookAround(true);
    return () => staff.lookAround(false);
  }, []);
  const floor = staffState.value.floor ?? nothing;
  const { tables, waiting } = floor;
  useFloorKeys(tables, waiting);
  return (
    <Frame name="floor">
      <h1 class="spoken">{kitWords().nav['floor']}</h1>
      <FloorTotals floor={floor} />
      <Queue waiting={waiting} />
      <TableList tables={tables} waiting={waiting} place={place.value} choose={(to) => (place.value = to)} />
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
            <span data-testid="signed">
              {t.signed(formatTimeOfDay(floor.signed.at), fragmentOf(floor.signed.hash))}
            </span>
          </>
        )}
      </footer>
    </Frame>
  );
}

function useFloorKeys(tables: FloorView['tables'], waiting: readonly WorkItem[]): void {
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null) return;
    const key = event.key.toUpperCase();
    const last = tables.length - 1;
    if (/^[1-9]$/.test(key)) {
      const one = waiting[Number(key) - 1];
      if (one) go(pathFor(one));
    } else if (key === 'J' || key === 'ARROWDOWN') place.value = Math.min(place.value + 1, last);
    else if (key === 'K' || key === 'ARROWUP') place.value = Math.max(0, place.value - 1);
    else if (key === 'ENTER' && tables[place.value]) go(`/floor/${encodeURIComponent(tables[place.value]!.table)}`);
    else return;
    event.preventDefault();
  });
}
