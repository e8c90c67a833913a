import { Back, Pip, Print, inks, paper, pictures } from './pips.tsx';
import { words } from './words.ts';

const rankText = (rank: string): string => (rank === 'T' ? '10' : rank);

/** "10 hearts", "壽 suit 3". */
function cardName(card: string): string {
  const [rank, suit] = [card[0]!, card[1]!];
  const { suits, suit: suitWord } = words();
  if (suit in suits) return `${rankText(rank)} ${suits[suit as keyof typeof suits]}`;
  return `${pictures[rank] ?? rankText(rank)} ${suitWord} ${suit}`;
}

function Rank({ rank, x, y, mark = '' }: { rank: string; x: number; y: number; mark?: string }) {
  return (
    <text class={`card-rank${rank === 'T' ? ' is-10' : ''}${mark}`} x={x} y={y} text-anchor="middle">
      {rankText(rank)}
    </text>
  );
}

/** A suit of the 65-card deck is a number on a disc. */
function Suit({ suit, x, y, size }: { suit: string; x: number; y: number; size: number }) {
  if (suit > '5') return <Pip suit={suit} x={x} y={y} size={size} />;
  return (
    <>
      <circle cx={x} cy={y} r={size * 0.56} fill="currentColor" />
      <text class="card-mark" x={x} y={y + 11.5} text-anchor="middle" fill={paper}>
        {suit}
      </text>
    </>
  );
}

function Corner({ rank, suit, isTurned = false }: { rank: string; suit: string; isTurned?: boolean }) {
  return (
    <g class="card-corner" transform={isTurned ? 'rotate(180 125 175)' : ''}>
      <Rank rank={rank} x={40} y={78} />
      <Suit suit={suit} x={40} y={112} size={41} />
    </g>
  );
}

/** Whether the card is the committed one. */
function Proof({ fits }: { fits: boolean }) {
  return (
    <g fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">
      <circle cx="218" cy="32" r="19" fill={fits ? '#12703f' : '#b9202b'} stroke="none" />
      <path d={fits ? 'm209 33 6 7 12-14' : 'm211 25 14 14m0-14-14 14'} />
    </g>
  );
}

type Face = {
  /** Face down where it is not known. */
  card?: string;
  back?: boolean;
  fits?: boolean | undefined;
  /** Lies across, as a third card does. */
  turned?: boolean;
};

/** One card, face up or down, five by seven. */
export function CardFace({ card, back = false, fits, turned = false }: Face) {
  const t = words();
  const isDown = back || card === undefined;
  const proof = fits === undefined ? '' : `, ${fits ? t.cardGood : t.cardBad}`;
  const [rank, suit] = [card?.[0] ?? '', card?.[1] ?? ''];
  return (
    <svg
      class={`card${isDown ? ' card-back' : ''}${turned ? ' turned' : ''}`}
      viewBox="0 0 250 350"
      role="img"
      aria-label={isDown ? t.faceDown : `${cardName(card)}${proof}`}
      {...(isDown ? {} : { style: { color: inks[suit]! }, 'data-card': card })}
    >
      {isDown ? (
        <Back />
      ) : (
        <>
          <Corner rank={rank} suit={suit} />
          <Corner rank={rank} suit={suit} isTurned />
          <Print rank={rank} suit={suit} />
          {fits !== undefined && <Proof fits={fits} />}
        </>
      )}
    </svg>
  );
}

/** A small card: one index and one suit. */
export function CardMini({ card }: { card: string }) {
  const [rank, suit] = [card[0]!, card[1]!];
  return (
    <svg
      class="card card-mini"
      viewBox="0 0 100 140"
      role="img"
      aria-label={cardName(card)}
      style={{ color: inks[suit]! }}
      data-card={card}
    >
      <Rank rank={rank} x={50} y={66} mark=" is-mini" />
      <Suit suit={suit} x={50} y={suit > '5' ? 102 : 104} size={suit > '5' ? 46 : 44} />
    </svg>
  );
}
