import { type ComponentChildren } from 'preact';

// What is printed on the cards, on a field of 250 by 350: pips, their places, and the emblems of the pictures.

/** The ink of each suit. */
export const inks: { readonly [suit: string]: string } = {
  C: '#1b2523',
  D: '#b9202b',
  H: '#b9202b',
  S: '#1b2523',
  1: '#24312d',
  2: '#8a5a00',
  3: '#146b46',
  4: '#1d569f',
  5: '#6c3a86',
};

export const paper = '#fbf6ea';
const gold = '#c49a44';

/** The shape of each suit, on a field of 100. */
const shapes: { readonly [suit: string]: string } = {
  C: 'M50 4a21 21 0 0 1 17 34l-2 3a21 21 0 1 1-8 34c0 9 4 16 11 21H32c7-5 11-12 11-21a21 21 0 1 1-8-34l-2-3A21 21 0 0 1 50 4Z',
  D: 'M50 2c9 19 21 35 37 48-16 13-28 29-37 48C41 79 29 63 13 50 29 37 41 21 50 2Z',
  H: 'M50 93C24 70 5 52 5 31 5 17 15 7 28 7c9 0 17 5 22 15C55 12 63 7 72 7c13 0 23 10 23 24 0 21-19 39-45 62Z',
  S: 'M50 3c7 20 44 38 44 62 0 13-9 21-21 21-8 0-14-4-18-10 1 9 5 15 12 20H33c7-5 11-11 12-20-4 6-10 10-18 10C15 86 6 78 6 65 6 41 43 23 50 3Z',
  1: disc(50, 50, 44),
  2: petals(2, 20, 29, 0),
  3: petals(3, 25, 24, 90),
  4: petals(4, 28, 21, 45),
  5: petals(5, 30, 19, -90),
};

function disc(x: number, y: number, radius: number): string {
  return `M${(x - radius).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

/** A neutral suit of the 65-card deck: as many petals as its number. */
function petals(count: number, far: number, radius: number, from: number): string {
  const round = Array.from({ length: count }, (_, n) => {
    const angle = ((from + (360 / count) * n) * Math.PI) / 180;
    return disc(50 + far * Math.cos(angle), 50 + far * Math.sin(angle), radius);
  });
  return [...round, disc(50, 50, 22)].join('');
}

type PipAt = { suit: string; x: number; y: number; size: number; isTurned?: boolean };

/** One pip with its middle at a place. */
export function Pip({ suit, x, y, size, isTurned = false }: PipAt) {
  const scale = (isTurned ? -size : size) / 100;
  return (
    <g transform={`translate(${x} ${y}) scale(${scale}) translate(-50 -50)`} fill="currentColor">
      <path d={shapes[suit]} />
      {suit === '1' && <circle cx="50" cy="50" r="34" fill="none" stroke={paper} stroke-width="4" />}
      {suit <= '5' && <circle cx="50" cy="50" r="15" fill={paper} />}
    </g>
  );
}

const columns: { readonly [column: string]: number } = { l: 95, c: 125, r: 155 };

/** Where the pips of each number lie: column and height. */
const places: { readonly [rank: string]: string } = {
  2: 'c66 c284',
  3: 'c66 c175 c284',
  4: 'l66 r66 l284 r284',
  5: 'l66 r66 c175 l284 r284',
  6: 'l66 r66 l175 r175 l284 r284',
  7: 'l66 r66 c120 l175 r175 l284 r284',
  8: 'l66 r66 c120 l175 r175 c230 l284 r284',
  9: 'l66 r66 l139 r139 c175 l211 r211 l284 r284',
  T: 'l66 r66 c102 l139 r139 l211 r211 c248 l284 r284',
};

/** Half of each picture of the 52-card deck; the other half mirrors it. */
const emblems: { readonly [rank: string]: ComponentChildren } = {
  K: (
    <>
      <path d="M90 126 84 80l21 22 20-36 20 36 21-22-6 46Z" />
      <circle cx="84" cy="78" r="5" />
      <circle cx="125" cy="63" r="6" />
      <circle cx="166" cy="78" r="5" />
      <rect x="90" y="130" width="70" height="9" rx="3" />
    </>
  ),
  Q: (
    <>
      <path d="M88 128c2-22 10-30 18-42 4 10 9 14 11 2 3-10 5-16 8-24 3 8 5 14 8 24 2 12 7 8 11-2 8 12 16 20 18 42Z" />
      <circle cx="106" cy="80" r="5" />
      <circle cx="125" cy="58" r="6" />
      <circle cx="144" cy="80" r="5" />
      <rect x="90" y="131" width="70" height="7" rx="3.5" />
    </>
  ),
  J: (
    <>
      <path d="M88 126c0-22 16-34 36-34 16 0 30 8 38 22l-2 12Z" />
      <path d="M146 98c2-18 12-32 26-40 2 16-2 32-14 46Z" />
      <rect x="86" y="130" width="78" height="9" rx="4.5" />
    </>
  ),
};

/** Sau, Luk and Fuk of the 65-card deck. */
export const pictures: { readonly [rank: string]: string } = { S: '壽', L: '祿', F: '福' };

const frame = (
  <>
    <rect x="74" y="40" width="102" height="270" rx="12" fill="#f6ecd2" stroke="currentColor" stroke-width="2.5" />
    <rect x="80" y="46" width="90" height="258" rx="8" fill="none" stroke={gold} stroke-width="1.5" />
  </>
);

function Character({ rank, suit }: { rank: string; suit: string }) {
  return (
    <>
      {frame}
      <Pip suit={suit} x={125} y={92} size={52} />
      <text class="card-char" x="125" y="205" text-anchor="middle">
        {pictures[rank]}
      </text>
      <Pip suit={suit} x={125} y={258} size={52} isTurned />
    </>
  );
}

function Court({ rank, suit }: { rank: string; suit: string }) {
  const half = (
    <>
      <g fill={gold} stroke="currentColor" stroke-width="2.5" stroke-linejoin="round">
        {emblems[rank]}
      </g>
      <Pip suit={suit} x={125} y={158} size={30} />
    </>
  );
  return (
    <>
      {frame}
      {half}
      <g transform="rotate(180 125 175)">{half}</g>
      <path d="M84 175h33m16 0h33" stroke="currentColor" stroke-width="1.5" />
      <path d="m125 167 8 8-8 8-8-8Z" fill="currentColor" />
    </>
  );
}

/** All that is printed between the indices of a card. */
export function Print({ rank, suit }: { rank: string; suit: string }) {
  if (rank === 'A') return <Pip suit={suit} x={125} y={175} size={118} />;
  const pips = places[rank];
  if (pips === undefined) {
    return suit <= '5' ? <Character rank={rank} suit={suit} /> : <Court rank={rank} suit={suit} />;
  }
  return (
    <>
      {pips.split(' ').map((at) => {
        const y = Number(at.slice(1));
        const size = rank === '9' || rank === 'T' ? 36 : 43;
        return <Pip key={at} suit={suit} x={columns[at[0]!]!} y={y} size={size} isTurned={y > 175} />;
      })}
    </>
  );
}

/** A lattice of diamonds, seven by ten with smaller rows between, that fills the back without being cut. */
function lattice(reach: number): string {
  const diamonds: string[] = [];
  for (let row = 0; row < 19; row++) {
    const columnsHere = row % 2 === 0 ? 7 : 6;
    for (let column = 0; column < columnsHere; column++) {
      const x = 125 + (column - (columnsHere - 1) / 2) * 32;
      diamonds.push(`M${x} ${31 + row * 16 - reach}l${reach} ${reach}-${reach} ${reach}-${reach}-${reach}Z`);
    }
  }
  return diamonds.join('');
}
const [wide, narrow] = [lattice(11.5), lattice(3.5)];

const brass = '#c9a85a';
const cloth = '#20342f';

/** The back, the same for both decks. */
export function Back() {
  return (
    <>
      <rect x="13" y="13" width="224" height="324" rx="11" fill={cloth} stroke={brass} stroke-width="2" />
      <path d={wide} fill="none" stroke={brass} stroke-opacity="0.5" stroke-width="1.3" />
      <path d={narrow} fill={brass} fill-opacity="0.5" />
      <circle cx="125" cy="175" r="43" fill={cloth} stroke={brass} stroke-width="2.5" />
      <circle cx="125" cy="175" r="36" fill="none" stroke={brass} stroke-opacity="0.6" />
      <circle cx="125" cy="175" r="11" fill={brass} />
      <path d="M125 146v14M125 190v14M96 175h14M140 175h14" stroke={brass} stroke-width="3" stroke-linecap="round" />
    </>
  );
}
