import {
  CardBack,
  PictureCardArt,
  suitColours,
  isPictureRank,
  miniCardPaths,
  cardPaperColour,
  chineseRankCharacters,
  cardPaths,
} from './cardArt.tsx';
import { sharedStrings } from '../text/strings.ts';

const rankText = (rank: string): string => (rank === 'T' ? '10' : rank);

/** Spoken name of a card: "10 hearts", "壽 suit 3". */
function cardName(card: string): string {
  const [rank, suit] = [card[0]!, card[1]!];
  const { suits, suit: suitWord } = sharedStrings();
  if (suit in suits) return `${rankText(rank)} ${suits[suit as keyof typeof suits]}`;
  return `${chineseRankCharacters[rank] ?? rankText(rank)} ${suitWord} ${suit}`;
}

/** Face of a card. A few long paths are less work for a browser than one path for each pip. */
function Face({ card }: { card: string }) {
  const rank = card[0]!;
  const { index, print, bare } = cardPaths(card);
  return (
    <>
      <path class="card-index" d={index} fill="currentColor" />
      {isPictureRank(rank) && <PictureCardArt rank={rank} />}
      <path class="card-print" d={print} fill="currentColor" />
      {bare !== '' && <path d={bare} fill={cardPaperColour} />}
    </>
  );
}

/** Badge on a card: a tick if the card matches the commitment of the server, a cross if it does not. */
function Proof({ fits }: { fits: boolean }) {
  return (
    <g fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">
      <circle cx="218" cy="32" r="19" fill={fits ? '#12703f' : '#b9202b'} stroke="none" />
      <path d={fits ? 'm209 33 6 7 12-14' : 'm211 25 14 14m0-14-14 14'} />
    </g>
  );
}

type Face = {
  /** The card; if undefined, the back is shown. */
  card?: string;
  back?: boolean;
  fits?: boolean | undefined;
  /** True for a card that lies sideways, as a third card does. */
  turned?: boolean;
};

/** A card, face up or face down. Its width is five sevenths of its height. */
export function PlayingCard({ card, back = false, fits, turned = false }: Face) {
  const t = sharedStrings();
  const isDown = back || card === undefined;
  const proof = fits === undefined ? '' : `, ${fits ? t.cardGood : t.cardBad}`;
  return (
    <svg
      class={`card${isDown ? ' card-back' : ''}${turned ? ' turned' : ''}`}
      viewBox="0 0 250 350"
      role="img"
      aria-label={isDown ? t.faceDown : `${cardName(card)}${proof}`}
      {...(isDown ? {} : { style: { color: suitColours[card[1]!]! }, 'data-card': card })}
    >
      {isDown ? (
        <CardBack />
      ) : (
        <>
          <Face card={card} />
          {fits !== undefined && <Proof fits={fits} />}
        </>
      )}
    </svg>
  );
}

export function MiniCardFace({ card }: { card: string }) {
  const { ink, bare } = miniCardPaths(card);
  return (
    <svg
      class="card card-mini"
      viewBox="0 0 100 140"
      role="img"
      aria-label={cardName(card)}
      style={{ color: suitColours[card[1]!]! }}
      data-card={card}
    >
      <path d={ink} fill="currentColor" />
      {bare !== '' && <path d={bare} fill={cardPaperColour} />}
    </svg>
  );
}
