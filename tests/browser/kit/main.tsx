import { type JSX, render } from 'preact';
import { derivedRoadNames } from '../../../src/roads/derived.ts';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { PlayingCard, MiniCardFace } from '../../../src/web/shared/cards/cards.tsx';
import { ChipFace, ChipStack } from '../../../src/web/shared/chips/chips.tsx';
import { Icon } from '../../../src/web/shared/widgets/icons.tsx';
import { language } from '../../../src/web/shared/text/language.ts';
import { roadsFromResults } from '../../../src/web/shared/roads/roadsFromResults.ts';
import { CountdownRing } from '../../../src/web/shared/widgets/countdownRing.tsx';
import {
  NextMarksPanel,
  BeadPlate,
  BigRoad,
  DerivedRoadChart,
  LastResults,
} from '../../../src/web/shared/roads/roads.tsx';
import { playSound, setVolume, soundVolume } from '../../../src/web/shared/widgets/sound.ts';

/** All components of the kit on one page; the test sets what they show. */
const parts = {
  cards: ({ deck }: { deck: 'french' | 'elements' }) => (
    <div class="row">
      {cardsOfDeck(deck).map((card) => (
        <span key={card} style={{ width: '5.6rem' }}>
          <PlayingCard card={card} />
        </span>
      ))}
      <span style={{ width: '5.6rem' }}>
        <PlayingCard back />
      </span>
      {cardsOfDeck(deck).map((card) => (
        <span key={card} style={{ width: '2.6rem' }}>
          <MiniCardFace card={card} />
        </span>
      ))}
    </div>
  ),
  chips: ({ tray, stakes }: { tray: readonly number[]; stakes: readonly number[] }) => (
    <div class="row" style={{ '--chip': '5rem' }}>
      {tray.map((value) => (
        <button key={value} type="button" class="chip-key" aria-label={`${value}`}>
          <ChipFace value={value} />
        </button>
      ))}
      {stakes.map((stake) => (
        <ChipStack key={stake} amount={stake} tray={tray} pale={stake % 200 === 0} />
      ))}
    </div>
  ),
  ring: ({ left, total }: { left: number; total: number }) => (
    <p>
      <CountdownRing left={left} total={total} size="ring-big" />
      <Icon name="sound" />
    </p>
  ),
  roads: ({ results, columns }: { results: readonly string[]; columns: number }) => {
    const roads = roadsFromResults(results);
    return (
      <div class="row" style={{ '--cell': '1.375rem', '--cell-2': '0.656rem' }}>
        <BeadPlate roads={roads} columns={columns} />
        <BigRoad roads={roads} columns={columns} />
        {derivedRoadNames.map((road) => (
          <DerivedRoadChart key={road} road={road} roads={roads} columns={2 * columns} />
        ))}
        <NextMarksPanel roads={roads} />
        <LastResults roads={roads} count={20} />
      </div>
    );
  },
} satisfies { readonly [part: string]: (props: never) => JSX.Element };

type Parts = typeof parts;

const kit = {
  show<P extends keyof Parts>(part: P, props: Parameters<Parts[P]>[0]): void {
    const Part = parts[part] as (props: object) => JSX.Element;
    render(
      <>
        <h1 class="spoken">{part}</h1>
        <Part {...props} />
      </>,
      document.getElementById('page')!,
    );
  },
  speak(wanted: 'en' | 'zh'): void {
    language.value = wanted;
  },
  play: playSound,
  setVolume,
  volume: (): number => soundVolume.value,
};
export type Kit = typeof kit;

Object.assign(window, { kit });
