import { computed } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type DerivedRoad } from '../../../../roads/derived.ts';
import { type Roads } from '../../../../roads/roads.ts';
import { DerivedRoadMarkIcon } from '../../../shared/roads/roadMarks.tsx';
import { roadsFromResults } from '../../../shared/roads/roadsFromResults.ts';
import { NextMarksPanel, BeadPlate, BigRoad, DerivedRoadChart, LastResults } from '../../../shared/roads/roads.tsx';
import { BilingualText } from '../../../shared/text/bilingualText.tsx';
import { offeredSpots, shoeResultsSignal } from '../viewSignals.ts';
import { viewMode } from '../scene.ts';
import { screenShape } from '../screenShape.ts';
import { CommonResultCounters, GameWagerCounters, ShoeProgressBar } from './shoeCounters.tsx';
import { tableStringInBothLanguages, tableScreenStrings } from '../strings.ts';

// The five roads. The number of visible columns depends on the width of a road and the size of its cells.

/** The number of road columns that fit the width of the element `box`, at least two. */
function useColumns(cell: '--cell' | '--cell-2') {
  const box = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(2);
  useLayoutEffect(() => {
    const measure = (): void => {
      const style = getComputedStyle(box.current!);
      const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const size = Number.parseFloat(style.getPropertyValue(cell)) * root;
      // Measured widths have fractions of pixels, so a last column that lacks half a pixel still counts.
      if (size > 0) setColumns(Math.max(2, Math.floor((box.current!.clientWidth + 0.5) / size)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(box.current!);
    measure();
    return () => observer.disconnect();
  }, [cell, screenShape.value, viewMode.value]);
  return { box, columns };
}

function Past() {
  return <span class="board-note">{tableScreenStrings().past}</span>;
}

function Bead({ roads }: { roads: Roads }) {
  const { box, columns } = useColumns('--cell');
  return (
    <div class="board-part part-bead">
      <p class="board-name">
        <BilingualText en="Bead plate" zh="珠盘路" />
      </p>
      <div ref={box}>
        <BeadPlate roads={roads} columns={columns} />
      </div>
    </div>
  );
}

function Big({ roads }: { roads: Roads }) {
  const { box, columns } = useColumns('--cell');
  return (
    <div class="board-part part-big">
      <p class="board-name">
        <BilingualText en="Big road" zh="大路" />
        <Past />
      </p>
      <div ref={box}>
        <BigRoad roads={roads} columns={columns} />
      </div>
    </div>
  );
}

const names = {
  bigEye: { en: 'Big eye boy', zh: '大眼仔' },
  small: { en: 'Small road', zh: '小路' },
  cockroach: { en: 'Cockroach pig', zh: '曱甴路' },
} as const;

function DerivedSheet({ road, roads }: { road: DerivedRoad; roads: Roads }) {
  const { box, columns } = useColumns('--cell-2');
  return (
    <div ref={box} class={`sheet-${road}`}>
      <DerivedRoadChart road={road} roads={roads} columns={columns} />
    </div>
  );
}

function DerivedRoads({ roads }: { roads: Roads }) {
  const kinds = ['bigEye', 'small', 'cockroach'] as const;
  return (
    <div class="board-part part-derived">
      <p class="board-name">
        {kinds.map((road) => (
          <span key={road} class="road-key">
            <DerivedRoadMarkIcon road={road} mark="r" />
            <BilingualText {...names[road]} />
          </span>
        ))}
      </p>
      <div class="road-derived">
        {kinds.map((road) => (
          <DerivedSheet key={road} road={road} roads={roads} />
        ))}
      </div>
    </div>
  );
}

/** True on a phone with number strips: there is space for only one row of results. */
export const isRoadBoardOneRow = computed(
  () =>
    screenShape.value === 'phone' &&
    viewMode.value === 'cards' &&
    offeredSpots.value.some(({ wager }) => wager.includes('-wins-on-')),
);

export function RoadBoard() {
  const t = tableScreenStrings();
  const roads = roadsFromResults(shoeResultsSignal.value);
  const isAll = viewMode.value === 'roads';
  if (isRoadBoardOneRow.value) {
    return (
      <section class="board is-row" aria-label={t.roads}>
        <LastResults roads={roads} count={20} />
        <p class="board-note">{t.past}</p>
      </section>
    );
  }
  const isPhone = screenShape.value === 'phone';
  return (
    <section class="board" aria-label={t.roads}>
      {isPhone && !isAll ? (
        <Big roads={roads} />
      ) : (
        <>
          <Bead roads={roads} />
          <Big roads={roads} />
          <DerivedRoads roads={roads} />
          <div class="board-part part-asks">
            <p class="board-name">
              <BilingualText {...tableStringInBothLanguages('ifNext')} />
            </p>
            <NextMarksPanel roads={roads} />
            <ShoeProgressBar />
          </div>
          {isAll && !isPhone && (
            <div class="board-part part-tally">
              <CommonResultCounters />
              <GameWagerCounters />
            </div>
          )}
        </>
      )}
    </section>
  );
}
