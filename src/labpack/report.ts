import { type ShuffleBatteryResult, hasShuffleBatteryPassed } from './battery.ts';
import { type TestFinding } from './findings.ts';
import { htmlHeading, htmlDocument, htmlParagraph, htmlTable } from './htmlParts.ts';

/** Rounds to eight significant digits, because JavaScript engines may differ in the digits after them. */
const rounded = (value: number): number => Number(value.toPrecision(8));

const sourceText = ({ source }: ShuffleBatteryResult): string =>
  source === 'system' ? 'the random source of the system' : `the seed ${JSON.stringify(source.seed)}`;

export const shuffleBatteryJson = (battery: ShuffleBatteryResult) => {
  const { source, shoe, shoes, words, verdict, reduced } = battery;
  const toJson = ({ statistic, p, ...finding }: TestFinding) => ({
    ...finding,
    statistic: rounded(statistic),
    p: rounded(p),
  });
  return {
    passed: hasShuffleBatteryPassed(battery),
    source,
    shoe,
    shoes,
    words,
    bits: words * 32,
    alpha: verdict.alpha,
    correction: 'Holm',
    tests: verdict.findings.length,
    leftOut: Object.fromEntries(verdict.leftOut),
    off: verdict.off.map(toJson),
    reduced,
    findings: verdict.findings.map(toJson),
  };
};

const familyTexts: { readonly [family: string]: string } = {
  'bits of the source':
    'Counts of ones among all bits and at each of the 32 bit positions, of bytes, and of pairs of bytes.',
  runs: 'Runs of equal bits; runs up and down of words; runs of colours and of tens with pictures in each shoe.',
  order: 'How often each of the 24 possible orders of four successive words occurs.',
  'serial correlation':
    'Correlation of words 1 to 5 apart, and of cards 1 to 10 apart in the shoe, which is taken as a ring.',
  gap: 'How many words pass from one word in the lowest sixteenth of the range to the next, and the same for the highest sixteenth.',
  poker: 'How many different digits occur among the eight hexadecimal digits of a word.',
  coupons: 'How many words pass until the lowest three bits have had all eight values.',
  ranges: 'Whether all numbers of a range are equally likely, in ranges that shuffles use.',
  'position by place before':
    'Whether each position after the shuffle gets its card equally often from every position before the shuffle.',
  'position by card': 'Whether each position of the shoe gets every card equally often.',
  'pairs of positions':
    'Whether pairs of neighbours in the shoe, and pairs among its first six cards, occur as often as expected.',
  'from round to round':
    'Whether each of the first four cards in ten rounds is independent of the same card of the next round.',
  'from shoe to shoe':
    'Whether each of the first six cards of a shoe is independent of the same card of the next shoe.',
  'results of rounds':
    'Whether Player, Banker and Tie occur as often as the exact odds say, in rounds 1, 5, 10, 20 and 30.',
};

/** Requirements of gaming standards on random numbers, how each is met, and where this is shown. */
const requirements: readonly (readonly [what: string, how: string, shownBy: string])[] = [
  [
    'The generator is cryptographically strong, and its output cannot be predicted.',
    'Words come from the generator of the operating system. A floor has no other generator, and no setting gives it a seed.',
    '`tests/labpack/battery.test.ts`: only `punto play` and the battery take a seed; `tests/architecture/source.test.ts`: nothing draws cards or money by the weak generator of the language',
  ],
  [
    'The generator never starts from the same state, and no seed is stored.',
    'The operating system seeds its generator; the program keeps no generator state between two draws.',
    '`tests/labpack/battery.test.ts`: the system source gives another sequence each time',
  ],
  ['Output is uniform and independent.', 'See the families of tests below.', 'this page'],
  [
    'Scaling to a range favours no number.',
    'A word at or above the largest multiple of the range is rejected, and another is drawn.',
    'this page: exhaustive test of a small source, and "ranges"',
  ],
  [
    'Each position is uniform over the cards, uncorrelated with others and with the round before.',
    'One shuffle for all virtual tables, each order equally likely.',
    '"position by card", "pairs of positions", "from round to round" below',
  ],
  [
    'Stakes, patrons, results and peripherals have no influence on the outcome.',
    'The shuffle gets the cards of a fresh shoe and the random source, and nothing else.',
    '`tests/labpack/battery.test.ts`: the shoe of a floor comes from the tested shuffle and nothing else',
  ],
  [
    'What was drawn is what is dealt: no redraw, no second decision.',
    'The root of a Merkle tree commits to the whole order before the first bet. Each card is proved against the root, and the whole order is published at the end of the shoe.',
    '`punto verify`; `docs/record.md`; the rows on shoes in conformance.html',
  ],
  [
    'The outcome does not adapt to what was won or lost.',
    'Rules and settlement depend on the cards alone; their folders may not import money or history.',
    '`tests/architecture/importRules.test.ts`: the import rules',
  ],
  [
    'The odds are those of the live game.',
    'The same decks, the same table of play; exact counts in the PAR sheets.',
    '"results of rounds" below; `punto simulate`',
  ],
];

const formatFigure = (value: number): string => String(Number(value.toPrecision(6)));

export function shuffleBatteryPage(battery: ShuffleBatteryResult): string {
  const { shoe, shoes, words, verdict, reduced, source } = battery;
  const families = [...Map.groupBy(verdict.findings, ({ family }) => family)];
  const smallestBound = verdict.alpha / verdict.findings.length;
  return htmlDocument(
    'Tests of the shuffle',
    htmlParagraph(
      `${hasShuffleBatteryPassed(battery) ? 'Passed' : 'NOT PASSED'}: ${verdict.findings.length} tests on ${shoes.toLocaleString('en')} shuffled shoes of ${shoe.decks} decks and on ${(words * 32).toLocaleString('en')} bits, drawn from ${sourceText(battery)}. ${verdict.off.length} failed, at 99 % confidence over all tests together (Holm's correction: the smallest p is compared with ${formatFigure(smallestBound)}).`,
    ),
    htmlParagraph(
      source === 'system'
        ? 'This run cannot be repeated: the system gives other numbers each time. At most one correct run in a hundred is reported as failed.'
        : 'Another run with this seed and number of shoes gives exactly these figures.',
    ),
    ...(verdict.leftOut.size > 0
      ? [
          htmlParagraph(
            `Some tests were skipped, because they have a cell with an expected count below five: ${[...verdict.leftOut].map(([family, count]) => `${count} of "${family}"`).join(', ')}. With more shoes they are run.`,
          ),
        ]
      : []),
    htmlHeading('What is tested'),
    htmlParagraph(
      'One function shuffles virtual shoes (fairShuffle, src/runtime/ports/random.ts); tables and this battery call the same function. From the last card down, each card changes places with a card drawn from those up to and including it, all equally likely. Another function (uniformBelow, the same file) draws numbers in a range from 32-bit words: a word at or above the largest multiple of the range is rejected and another is drawn, so that no number is favoured. Every source of words is used through these two functions.',
    ),
    htmlParagraph(
      'In production the words come from the cryptographic generator of the operating system, which the operating system seeds (systemRandom: node:crypto randomBytes). Nothing else goes into a shuffle: no stake, no patron, no result, no clock. Only `punto play` and this battery can use a seed instead, which makes a run repeatable. `punto labpack --source system` runs the same tests on the generator of the system.',
    ),
    htmlHeading('Requirements on random numbers'),
    htmlTable(
      ['requirement', 'how it is met', 'shown by'],
      requirements.map((cells) => ({ cells })),
    ),
    htmlHeading('Exhaustive test of a small source'),
    htmlParagraph(
      `The same functions were run with a source of ${reduced.range} values instead of 2^32. For each of ${reduced.limits} ranges every word was tried, and ${reduced.uneven.length === 0 ? 'each number came from exactly as many words as any other' : `numbers below ${reduced.uneven.join(', ')} were NOT equally likely`}. For ${reduced.shuffles.join(', ')} cards every sequence of draws was tried, and ${reduced.unfair.length === 0 ? 'each order came exactly once' : `with ${reduced.unfair.join(', ')} cards some orders came more often than others`}. With 32-bit words, fewer than one word in six million is rejected for a shoe of ten decks.`,
    ),
    htmlHeading('Families of tests'),
    htmlTable(
      ['family', 'what it tests', 'tests', 'smallest p', 'p below 0.01', 'off'],
      families.map(([family, familyFindings]) => ({
        cells: [
          family,
          familyTexts[family]!,
          String(familyFindings.length),
          formatFigure(Math.min(...familyFindings.map(({ p }) => p))),
          String(familyFindings.filter(({ p }) => p < 0.01).length),
          String(verdict.off.filter((failed) => failed.family === family).length),
        ],
      })),
    ),
    htmlParagraph(
      'p is the probability that chance alone deviates this far or further, in either direction: too even is as suspicious as too uneven. About one correct test in a hundred has a p below 0.01. All expectations are exact. The tails of the chi-square and normal distributions come from the incomplete gamma function.',
    ),
    htmlHeading('Every test'),
    htmlTable(
      ['family', 'test', 'statistic', 'degrees of freedom', 'p'],
      verdict.findings.map(({ family, name, statistic, freedom, p }) => ({
        cells: [family, name, formatFigure(statistic), freedom === null ? 'normal' : String(freedom), formatFigure(p)],
      })),
    ),
  );
}
