import { signal } from '@preact/signals';
import { type ComponentChildren, type JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type DerivedRoad, derivedRoadNames } from '../../../roads/derived.ts';
import { type RoadPosition, rowsPerColumn } from '../../../roads/grid.ts';
import { type Roads, roadsOf } from '../../../roads/roads.ts';
import { language } from '../text/language.ts';
import { BeadMark, BigRoadMark, DerivedMark, DerivedRoadMarkIcon, TieMark } from './roadMarks.tsx';
import { spokenBeadPlate, spokenBigRoad, spokenDerivedRoad } from './roadsText.ts';
import { sharedStrings } from '../text/strings.ts';

type Side = 'player' | 'banker';

/**
 * Preview of the roads: `next` are the roads as if `side` had won the next round. `count`: number of results when the
 * preview began. The preview ends when a result is added.
 */
type Preview = { readonly roads: Roads; readonly count: number; readonly side: Side; readonly next: Roads };
const previewSignal = signal<Preview | null>(null);

function previewOf(roads: Roads): Preview | null {
  const now = previewSignal.value;
  return now !== null && now.roads === roads && now.count === roads.beads.length ? now : null;
}

function togglePreview(roads: Roads, side: Side): void {
  const next = roadsOf([...roads.beads, { winner: side, playerPair: false, bankerPair: false }]);
  previewSignal.value = previewOf(roads)?.side === side ? null : { roads, count: roads.beads.length, side, next };
}

type PaperProps = {
  kind: string;
  name: string;
  spoken: string;
  columns: number;
  /** Width and height of a cell, in units of the drawing. */
  unit: number;
  cells: readonly RoadPosition[];
  /** True when the last cell shows a supposed result. */
  isPreview: boolean;
  /** True for a road that cannot be scrolled and shows only its newest columns. */
  still: boolean;
  /** True when the road keeps a free column after its newest column. */
  isOpen: boolean;
  draw: (place: number, x: number, y: number) => ComponentChildren;
  /** Content that belongs to no cell, drawn before the cells. */
  children?: ComponentChildren;
};

function gridPath(columns: number, unit: number): string {
  let path = '';
  for (let n = 1; n < columns; n++) path += `M${n * unit} 0V${rowsPerColumn * unit}`;
  for (let n = 1; n < rowsPerColumn; n++) path += `M0 ${n * unit}H${columns * unit}`;
  return path;
}

/**
 * A road on its grid. Unless it is `still`, a patron can scroll to older columns, and each new mark scrolls to the
 * newest column.
 */
function Paper({ kind, name, spoken, columns, unit, cells, isPreview, still, isOpen, draw, children }: PaperProps) {
  const used = cells.reduce((last, { column }) => Math.max(last, column), 0) + (isOpen ? 1 : 0);
  const hidden = Math.max(0, used - columns);
  const all = still ? columns : columns + hidden;
  const first = still ? hidden : 0;
  const box = useRef<HTMLDivElement>(null);
  // The box is laid out from right to left, so 0 scrolls to its right end.
  useLayoutEffect(() => box.current!.scrollTo({ left: 0 }), [cells.length, columns, isPreview]);
  const scrolls = all > columns;
  return (
    <figure class={`road road-${kind}${scrolls ? ' is-long' : ''}`} style={{ '--cols': columns }} data-road={kind}>
      <figcaption class="spoken">{`${name}: ${spoken}`}</figcaption>
      <div ref={box} class="road-scroll" {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': name } : {})}>
        <svg viewBox={`0 0 ${all * unit} ${rowsPerColumn * unit}`} style={{ '--all': all }} aria-hidden="true">
          <path class="road-grid" d={gridPath(all, unit)} />
          {children}
          {cells.map(({ column, row }, place) => {
            if (column <= first) return null;
            const [x, y] = [(column - first - 1) * unit, (row - 1) * unit];
            const isNewest = place === cells.length - 1;
            return (
              <g key={place} {...(isNewest && isPreview ? { class: 'is-preview' } : {})}>
                {isNewest && <rect class="road-last" x={x} y={y} width={unit} height={unit} />}
                {draw(place, x, y)}
              </g>
            );
          })}
        </svg>
      </div>
    </figure>
  );
}

type RoadProps = { roads: Roads; columns: number; still?: boolean };

/** Drawing of a road, memoised: the road is drawn again only when its input has changed. */
function useDrawn(
  { roads, columns, still = false }: RoadProps,
  draw: (shown: Roads, isPreview: boolean) => JSX.Element,
) {
  const preview = previewOf(roads);
  return useMemo(
    () => draw(preview?.next ?? roads, preview !== null),
    [roads, roads.beads.length, columns, still, preview, language.value],
  );
}

/** Bead plate: one bead for each round, ties included, from top to bottom. */
export function BeadPlate({ roads, columns, still = false }: RoadProps) {
  return useDrawn({ roads, columns, still }, ({ beads }, isPreview) => (
    <Paper
      kind="bead"
      name={sharedStrings().bead}
      spoken={spokenBeadPlate(roads.beads)}
      columns={columns}
      unit={20}
      cells={beads}
      isPreview={isPreview}
      still={still}
      isOpen={false}
      draw={(place, x, y) => <BeadMark x={x} y={y} bead={beads[place]!} />}
    />
  ));
}

/** Big road: a run of wins of the same hand goes down a column. Ties are marked on the round before them. */
export function BigRoad({ roads, columns, still = false }: RoadProps) {
  return useDrawn({ roads, columns, still }, ({ bigRoad, leadingTies }, isPreview) => (
    <Paper
      kind="big"
      name={sharedStrings().bigRoad}
      spoken={spokenBigRoad(roads.bigRoad, roads.leadingTies)}
      columns={columns}
      unit={20}
      cells={bigRoad}
      isPreview={isPreview}
      still={still}
      isOpen
      draw={(place, x, y) => <BigRoadMark x={x} y={y} cell={bigRoad[place]!} />}
    >
      {bigRoad.length === 0 && leadingTies > 0 && (
        <>
          <rect class="road-last" width="20" height="20" />
          <TieMark x={0} y={0} ties={leadingTies} />
        </>
      )}
    </Paper>
  ));
}

const kinds = { bigEye: 'eye', small: 'small', cockroach: 'roach' } as const;

/** Chart of one of the three derived roads, which show how regular the big road is. */
export function DerivedRoadChart({ road, roads, columns, still = false }: RoadProps & { road: DerivedRoad }) {
  return useDrawn({ roads, columns, still }, (shown) => {
    const cells = shown.cellsOf(road);
    return (
      <Paper
        kind={kinds[road]}
        name={sharedStrings()[road]}
        spoken={spokenDerivedRoad(roads.cellsOf(road))}
        columns={columns}
        unit={10}
        cells={cells}
        isPreview={cells.length > roads.cellsOf(road).length}
        still={still}
        isOpen
        draw={(place, x, y) => <DerivedMark road={road} mark={cells[place]!.mark} x={x} y={y} />}
      />
    );
  });
}

/** The newest results in one row, for an area that is too small for a road. */
export function LastResults({ roads, count }: { roads: Roads; count: number }) {
  const beads = roads.beads.slice(-count);
  return (
    <figure class="road road-row" style={{ '--cols': count }} data-road="row">
      <figcaption class="spoken">{`${sharedStrings().lastResults}: ${spokenBeadPlate(beads)}`}</figcaption>
      <svg viewBox={`0 0 ${count * 20} 20`} aria-hidden="true">
        {beads.map((bead, place) => (
          <g key={place}>
            {place === beads.length - 1 && <rect class="road-last" x={place * 20} width="20" height="20" />}
            <BeadMark x={place * 20} y={0} bead={bead} />
          </g>
        ))}
      </svg>
    </figure>
  );
}

/**
 * Button with the marks that a win of this hand would add to the derived roads. A press previews that win on all roads,
 * and a second press ends the preview.
 */
function NextMarksKey({ roads, side }: { roads: Roads; side: Side }) {
  const t = sharedStrings();
  const next = roads.ask(side);
  const marks = derivedRoadNames.map(
    (road) => `${t[road]} ${next[road] === undefined ? t.noMark : t.marks[next[road]]}`,
  );
  return (
    <button
      type="button"
      class={`ask ask-${side === 'player' ? 'P' : 'B'}`}
      aria-pressed={previewOf(roads)?.side === side}
      aria-label={`${t.ifNext} ${t[side]}: ${marks.join(', ')}`}
      data-ask={side}
      onClick={() => togglePreview(roads, side)}
    >
      <span class="ask-name">
        <b>{t[side][0]}</b>
        {language.value === 'en' && <i lang="zh-Hans">{side === 'player' ? '闲' : '庄'}</i>}
        <em>?</em>
      </span>
      {derivedRoadNames.map((road) => (
        <DerivedRoadMarkIcon key={road} road={road} mark={next[road]} />
      ))}
    </button>
  );
}

export function NextMarksPanel({ roads }: { roads: Roads }) {
  return (
    <div class="asks" role="group" aria-label={sharedStrings().ifNext}>
      <NextMarksKey roads={roads} side="player" />
      <NextMarksKey roads={roads} side="banker" />
    </div>
  );
}
