import { type ComponentChildren } from 'preact';
import { suitNumberOutlines, chineseRankOutlines, rankOutlines } from './glyphOutlines.ts';

// Card artwork as SVG paths in a box of 250 by 350. Suits C, D, H and S belong to the 52-card deck; suits 1 to 5 belong
// to the 65-card deck.

export const suitColours: { readonly [suit: string]: string } = {
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

export const cardPaperColour = '#fbf6ea';
const gold = '#c49a44';

/** SVG path of each suit's shape, in a box of 100 by 100. */
export const suitShapePaths: { readonly [suit: string]: string } = {
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

/** SVG path of a flower with `count` petals: the shape of the suits 2 to 5 of the 65-card deck. */
function petals(count: number, far: number, radius: number, from: number): string {
  const round = Array.from({ length: count }, (_, n) => {
    const angle = ((from + (360 / count) * n) * Math.PI) / 180;
    return disc(50 + far * Math.cos(angle), 50 + far * Math.sin(angle), radius);
  });
  return [...round, disc(50, 50, 22)].join('');
}

/** SVG path scaled by `scale` and then moved by `x` and `y`. A negative scale turns the shape by 180 degrees. */
function transformed(path: string, scale: number, x: number, y: number): string {
  const short = (value: number): string => String(Math.round(value * 100) / 100);
  return path.replaceAll(/([A-Za-z])([^A-Za-z]*)/g, (_, command: string, rest: string) => {
    const isPlace = command === command.toUpperCase();
    const numbers = (rest.match(/-?\d*\.?\d+/g) ?? []).map((text, n) => {
      const value = Number(text);
      const place = command.toLowerCase() === 'a' ? (n % 7) - 5 : n % 2;
      // An arc has two radii, an angle and two flags before its end point. Of these five only the radii are scaled.
      if (place < 0) return place < -3 ? short(value * Math.abs(scale)) : text;
      const isAcross = command === 'H' || (command !== 'V' && place === 0);
      return short(value * scale + (isPlace ? (isAcross ? x : y) : 0));
    });
    return command + numbers.join(' ');
  });
}

/** SVG path from a box of 100 by 100, scaled to `size` and moved so that its centre is at `x` and `y`. */
const centred = (path: string, size: number, x: number, y: number): string =>
  transformed(path, size / 100, x - size / 2, y - size / 2);

/** SVG path, followed by the same path turned by 180 degrees about the centre of the card. */
const withMirror = (path: string): string => path + transformed(path, -1, 250, 350);

/** Parts of a suit's shape that have the colour of the paper: the centre, and in suit 1 also a ring. */
const paperParts: { readonly [suit: string]: string } = {
  1: disc(50, 50, 36) + hole(50, 50, 32) + disc(50, 50, 15),
  ...Object.fromEntries(['2', '3', '4', '5'].map((suit) => [suit, disc(50, 50, 15)])),
};

/** SVG path of a circle in the opposite direction to `disc`, so that it cuts a hole into a disc. */
function hole(x: number, y: number, radius: number): string {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0Z`;
}

/** Paths in the colour of the suit (`ink`) and in the colour of the paper (`bare`). */
type Printed = { readonly ink: string; readonly bare: string };

/** Pips of a suit at the given positions. A negative size turns a pip upside down. */
function pipsAt(suit: string, pipPositions: readonly (readonly [x: number, y: number, size: number])[]): Printed {
  const all = (path: string | undefined): string =>
    path === undefined ? '' : pipPositions.map(([x, y, size]) => centred(path, size, x, y)).join('');
  return { ink: all(suitShapePaths[suit]), bare: all(paperParts[suit]) };
}

/**
 * Index in a corner of a card: the rank and, below the rank, the suit. A suit of the 65-card deck is a number on a
 * disc.
 */
function indexAt(card: string, scale: number, x: number, y: number, suitY: number, size: number): Printed {
  const [rank, suit] = [card[0]!, card[1]!];
  const letter = transformed(rankOutlines[rank]!, scale, x, y);
  if (suit > '5') return { ink: letter + centred(suitShapePaths[suit]!, size, x, suitY), bare: '' };
  return {
    ink: letter + centred(disc(50, 50, 56), size, x, suitY),
    bare: transformed(suitNumberOutlines[suit]!, 1, x, suitY + 11.5),
  };
}

const columns: { readonly [column: string]: number } = { l: 95, c: 125, r: 155 };

/** Positions of the pips of each rank: the letter of the column and the distance from the top, such as `l66`. */
const pipPositions: { readonly [rank: string]: string } = {
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

/**
 * Emblem of each court card of the 52-card deck, in the upper half. The lower half shows the same emblem upside down.
 */
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

/** Characters of the picture ranks of the 65-card deck: Sau, Luk and Fuk. */
export const chineseRankCharacters: { readonly [rank: string]: string } = { S: '壽', L: '祿', F: '福' };

const frame = (
  <>
    <rect x="74" y="40" width="102" height="270" rx="12" fill="#f6ecd2" stroke="currentColor" stroke-width="2.5" />
    <rect x="80" y="46" width="90" height="258" rx="8" fill="none" stroke={gold} stroke-width="1.5" />
  </>
);

function Court({ rank }: { rank: string }) {
  const half = (
    <g fill={gold} stroke="currentColor" stroke-width="2.5" stroke-linejoin="round">
      {emblems[rank]}
    </g>
  );
  return (
    <>
      {half}
      <g transform="rotate(180 125 175)">{half}</g>
      <path d="M84 175h33m16 0h33" stroke="currentColor" stroke-width="1.5" />
    </>
  );
}

/** Frame of a picture card, and the two emblems of a court card. */
export function PictureCardArt({ rank }: { rank: string }) {
  return (
    <>
      {frame}
      {rank in emblems && <Court rank={rank} />}
    </>
  );
}

function printOf(card: string): Printed {
  const [rank, suit] = [card[0]!, card[1]!];
  if (rank === 'A') return pipsAt(suit, [[125, 175, 118]]);
  const pips = pipPositions[rank];
  if (pips !== undefined) {
    const size = rank === '9' || rank === 'T' ? 36 : 43;
    return pipsAt(
      suit,
      pips.split(' ').map((at) => {
        const y = Number(at.slice(1));
        return [columns[at[0]!]!, y, y > 175 ? -size : size];
      }),
    );
  }
  if (rank in emblems) {
    const { ink } = pipsAt(suit, [[125, 158, 30]]);
    return { ink: `${withMirror(ink)}M125 167l8 8-8 8-8-8Z`, bare: '' };
  }
  const { ink, bare } = pipsAt(suit, [
    [125, 92, 52],
    [125, 258, -52],
  ]);
  return { ink: ink + transformed(chineseRankOutlines[rank]!, 1, 125, 205), bare };
}

export const isPictureRank = (rank: string): boolean => rank in emblems || rank in chineseRankCharacters;

/** Paths of a whole card: both indices, the print between them, and `bare`, the parts in the colour of the paper. */
type Paths = { readonly index: string; readonly print: string; readonly bare: string };
const pathCache = new Map<string, Paths>();

export function cardPaths(card: string): Paths {
  const cached = pathCache.get(card);
  if (cached !== undefined) return cached;
  const [index, print] = [indexAt(card, 1, 40, 78, 112, 41), printOf(card)];
  const paths = { index: withMirror(index.ink), print: print.ink, bare: withMirror(index.bare) + print.bare };
  pathCache.set(card, paths);
  return paths;
}

/** Paths of a small card, which shows only its rank and suit, in a box of 100 by 140. */
export function miniCardPaths(card: string): Printed {
  const scale = 68 / (card[0] === 'T' ? 76 : 80);
  return card[1]! > '5' ? indexAt(card, scale, 50, 66, 102, 46) : indexAt(card, scale, 50, 66, 104, 44);
}

/**
 * Lattice of diamonds on the back of a card. Rows of seven and of six diamonds alternate, and no diamond is cut at the
 * edge.
 */
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

export function CardBack() {
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
