import { words } from './words.ts';

const signs: { readonly [suit: string]: string } = { C: '♣', D: '♦', H: '♥', S: '♠' };
/** Sau, Luk and Fuk of the 65-card deck. */
const pictures: { readonly [rank: string]: string } = { S: '壽', L: '祿', F: '福' };

function nameOf(card: string): string {
  const [rank, suit] = [card[0]!, card[1]!];
  const { suits, suit: suitWord } = words();
  if (suit in suits) return `${rank === 'T' ? '10' : rank} ${suits[suit as keyof typeof suits]}`;
  return `${rank === 'T' ? '10' : (pictures[rank] ?? rank)} ${suitWord} ${suit}`;
}

/** One card, drawn; a tick tells that it is the committed one. */
export function CardFace({ card, fits, turned }: { card: string; fits: boolean | undefined; turned: boolean }) {
  const [rank, suit] = [card[0]!, card[1]!];
  const french = suit in signs;
  const red = suit === 'D' || suit === 'H';
  const ink = french
    ? red
      ? '#b3202c'
      : '#1c2321'
    : ['#1c2321', '#8a5a00', '#1d6b2f', '#12568f', '#9c2230'][Number(suit) - 1];
  const top = rank === 'T' ? '10' : french ? rank : (pictures[rank] ?? rank);
  const { cardGood, cardBad } = words();
  const proof = fits === undefined ? '' : fits ? `, ${cardGood}` : `, ${cardBad}`;
  return (
    <svg
      class={turned ? 'card turned' : 'card'}
      viewBox="0 0 60 84"
      role="img"
      aria-label={`${nameOf(card)}${proof}`}
      data-card={card}
    >
      <rect x="0.75" y="0.75" width="58.5" height="82.5" rx="6" fill="#fffdf6" stroke="#c9c1a8" stroke-width="1.5" />
      <text x="7" y="23" font-size="20" font-weight="700" fill={ink}>
        {top}
      </text>
      {french ? (
        <text x="30" y="62" font-size="34" text-anchor="middle" fill={ink}>
          {signs[suit]}
        </text>
      ) : (
        <>
          <circle cx="30" cy="51" r="15" fill="none" stroke={ink} stroke-width="2.5" />
          <text x="30" y="58" font-size="19" font-weight="700" text-anchor="middle" fill={ink}>
            {suit}
          </text>
        </>
      )}
      {fits !== undefined && (
        <g>
          <circle cx="50" cy="10" r="6.5" fill={fits ? '#1d6b2f' : '#b3202c'} />
          <path
            d={fits ? 'M47 10l2.2 2.4L53.2 8' : 'M47.5 7.5l5 5m0-5l-5 5'}
            fill="none"
            stroke="#fff"
            stroke-width="1.6"
          />
        </g>
      )}
    </svg>
  );
}
