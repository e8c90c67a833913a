import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type FloorView, type WorkItem } from '../../../../wire/staff/floorView.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { useKeydown } from '../../kit/input/useKeydown.ts';
import { formatTimeOfDay, shortHashText } from '../../kit/text/timeText.ts';
import { kitStrings } from '../../kit/text/strings.ts';
import { staffClient } from '../../app/connection.ts';
import { navigate } from '../../app/router.ts';
import { staffState } from '../../app/state.ts';
import { FloorTotals } from './floorTotals.tsx';
import { WorkQueue, workItemPath } from './workQueue.tsx';
import { TableList } from './tableList.tsx';
import { floorStrings } from './strings.ts';

const selectedRow = signal(0);

const emptyFloor: FloorView = { tables: [], waiting: [], since: 0, voids: 0, corrected: 0, signed: null };

export function Page() {
  const t = floorStrings();
  useEffect(() => {
    staffClient.watchFloor(true);
    return () => staffClient.watchFloor(false);
  }, []);
  const floor = staffState.value.floor ?? emptyFloor;
  const { tables, waiting } = floor;
  useFloorKeys(tables, waiting);
  return (
    <PageFrame name="floor">
      <h1 class="spoken">{kitStrings().nav['floor']}</h1>
      <FloorTotals floor={floor} />
      <WorkQueue waiting={waiting} />
      <TableList
        tables={tables}
        waiting={waiting}
        selected={selectedRow.value}
        choose={(to) => (selectedRow.value = to)}
      />
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
              {t.signed(formatTimeOfDay(floor.signed.at), shortHashText(floor.signed.hash))}
            </span>
          </>
        )}
      </footer>
    </PageFrame>
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
      if (one) navigate(workItemPath(one));
    } else if (key === 'J' || key === 'ARROWDOWN') selectedRow.value = Math.min(selectedRow.value + 1, last);
    else if (key === 'K' || key === 'ARROWUP') selectedRow.value = Math.max(0, selectedRow.value - 1);
    else if (key === 'ENTER' && tables[selectedRow.value])
      navigate(`/floor/${encodeURIComponent(tables[selectedRow.value]!.table)}`);
    else return;
    event.preventDefault();
  });
}
