import { type DerivedRoad, type DerivedRoadMark } from '../../../roads/derived.ts';
import { type Bead, type BigRoadCell } from '../../../roads/roads.ts';
import { sharedStrings } from '../text/strings.ts';

// Marks of the roads. Cells of the bead plate and the big road are 20 units wide, cells of the derived roads 10. Every
// mark can be told apart without its colour.

const letters = { banker: 'B', player: 'P', tie: 'T' } as const;

/** Dots for pairs: a Banker pair at the upper left, a Player pair at the lower right. */
function Pairs({ x, y, of }: { x: number; y: number; of: Pick<Bead, 'playerPair' | 'bankerPair'> }) {
  return (
    <>
      {of.bankerPair && <circle class="dot-b" cx={x + 4} cy={y + 4} r="3" />}
      {of.playerPair && <circle class="dot-p" cx={x + 16} cy={y + 16} r="3" />}
    </>
  );
}

export function BeadMark({
  x,
  y,
  bead,
}: {
  x: number;
  y: number;
  bead: Pick<Bead, 'winner' | 'playerPair' | 'bankerPair'>;
}) {
  return (
    <>
      <circle class={`bead bead-${letters[bead.winner]}`} cx={x + 10} cy={y + 10} r="8.6" />
      <text class="bead-letter" x={x + 10} y={y + 10}>
        {sharedStrings()[bead.winner][0]}
      </text>
      <Pairs x={x} y={y} of={bead} />
    </>
  );
}

/** Mark of ties on the big road: a stroke across a cell. If there are several ties, it shows their number. */
export function TieMark({ x, y, ties }: { x: number; y: number; ties: number }) {
  return (
    <>
      <path class="tie-slash" d={`M${x + 3} ${y + 17}L${x + 17} ${y + 3}`} />
      {ties > 1 && (
        <text class="tie-count" x={x + 15.5} y={y + 16}>
          {ties}
        </text>
      )}
    </>
  );
}

export function BigRoadMark({ x, y, cell }: { x: number; y: number; cell: BigRoadCell }) {
  const letter = letters[cell.winner];
  return (
    <>
      <circle class={`big big-${letter}`} cx={x + 10} cy={y + 10} r="7.3" />
      <text class={`big-letter big-letter-${letter}`} x={x + 10} y={y + 10}>
        {sharedStrings()[cell.winner][0]}
      </text>
      {cell.ties > 0 && <TieMark x={x} y={y} ties={cell.ties} />}
      <Pairs x={x} y={y} of={cell} />
    </>
  );
}

/** Mark of a derived road. A red mark is plain. A blue mark has a dot or a hole, or leans the other way. */
export function DerivedMark({
  road,
  mark,
  x = 0,
  y = 0,
}: {
  road: DerivedRoad;
  mark: DerivedRoadMark;
  x?: number;
  y?: number;
}) {
  const [cx, cy] = [x + 5, y + 5];
  switch (road) {
    case 'bigEye':
      return (
        <>
          <circle class={`eye eye-${mark}`} cx={cx} cy={cy} r="3.4" />
          {mark === 'b' && <circle class="fill-b" cx={cx} cy={cy} r="1.15" />}
        </>
      );
    case 'small':
      return (
        <>
          <circle class={`fill-${mark}`} cx={cx} cy={cy} r="3.9" />
          {mark === 'b' && <circle class="hole" cx={cx} cy={cy} r="1.25" />}
        </>
      );
    case 'cockroach':
      return (
        <path
          class={`roach roach-${mark}`}
          d={mark === 'r' ? `M${x + 1.8} ${y + 8.2}l6.4-6.4` : `M${x + 1.8} ${y + 1.8}l6.4 6.4`}
        />
      );
  }
}

/** Icon of one mark of a derived road, or a dash if there is no mark. */
export function DerivedRoadMarkIcon({
  road,
  mark,
  class: name = 'ask-icon',
}: {
  road: DerivedRoad;
  mark: DerivedRoadMark | undefined;
  class?: string;
}) {
  return (
    <svg class={name} viewBox="0 0 10 10" aria-hidden="true" data-mark={mark ?? ''}>
      {mark === undefined ? <path class="no-mark" d="M3 5h4" /> : <DerivedMark road={road} mark={mark} />}
    </svg>
  );
}
