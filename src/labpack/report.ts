import { type BatteryResult, hasBatteryPassed } from './battery.ts';
import { type TestFinding } from './findings.ts';
import { htmlHeading, htmlDocument, htmlParagraph, htmlTable } from './htmlParts.ts';

/** Rounds to eight significant digits; beyond them JavaScript engines may differ. */
const rounded = (value: number): number => Number(value.toPrecision(8));

const sourceText = ({ source }: BatteryResult): string =>
  source === 'system' ? 'the random source of the system' : `the seed ${JSON.stringify(source.seed)}`;

export const batteryJson = (battery: BatteryResult) => {
  const { source, shoe, shoes, words, verdict, reduced } = battery;
  const toJson = ({ statistic, p, ...finding }: TestFinding) => ({
    ...finding,
    statistic: rounded(statistic),
    p: rounded(p),
  });
  return {
    passed: hasBatteryPassed(battery),
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

/** What each family of tests checks. */
const familyTexts: { readonly [family: string]: string } = {
  'bits of the source': 'Ones among all bits and at each of the 32 places of a word; bytes; pairs of bytes.',
  runs: 'Runs of equal bits; runs up and down of words; runs of colours and of tens with pictures in each shoe.',
  order: 'In which of the 24 orders four words come.',
  'serial correlation':
    'Words with those 1 to 5 before; cards of a shoe with those 1 to 10 before, the shoe as a ring.',
  gap: 'How long until a word comes into the same sixteenth of its range again.',
  poker: 'How many different digits the eight hexadecimal digits of a word have.',
  coupons: 'How many words until all eight values of three bits have come.',
  ranges: 'Numbers of the ranges that shuffles draw from.',
  'position by place before':
    'Each place of the shoe: the cards of all places before the shuffle come there equally often.',
  'position by card': 'Each place of the shoe: every card equally often.',
  'pairs of positions':
    'All neighbours in the shoe, and all pairs of its first six cards: every pair as often as it must be.',
  'from round to round':
    'The first four cards of each of ten rounds with those of the next, dealt by the table of play.',
  'from shoe to shoe': 'The first six cards of a shoe with those of the next.',
  'results of rounds': 'Player, Banker and Tie in rounds 1, 5, 10, 20 and 30 against the exact odds.',
};

/** Requirements of gaming standards on random numbers, how each is met, and where that is shown. */
const requirements: readonly (readonly [what: string, how: string, shownBy: string])[] = [
  [
    'The generator is cryptographically strong, and its output cannot be foretold.',
    'Words come from the generator of the operating system; a floor has no other, and no setting gives it a seed.',
    '`tests/labpack/battery.test.ts`: only `punto play` and this battery know a seed; `tests/architecture/source.test.ts`: nothing uses the weak generator of the language',
  ],
  [
    'It never begins from the same place, and no seed is kept.',
    'The operating system seeds its generator; the program holds no state of one between two draws.',
    '`tests/labpack/battery.test.ts`: another row each time',
  ],
  ['Output is uniform and independent.', 'See the families of tests below.', 'this page'],
  [
    'Scaling to a range favours no number.',
    'Words above the last whole multiple of the range are rejected.',
    'this page, every word of a small source; "ranges" below',
  ],
  [
    'Each position is uniform over the cards, uncorrelated with others and with the round before.',
    'One shuffle for all virtual tables, each order equally likely.',
    '"position by card", "pairs of positions", "from round to round" below',
  ],
  [
    'Neither stakes nor patrons, results or peripherals have a part in it.',
    'The shuffle takes the cards of a fresh shoe and the source, and nothing else.',
    '`tests/labpack/battery.test.ts`: the shoe of a floor is what the tested shuffle gives',
  ],
  [
    'What was drawn is what is dealt: no redraw, no second decision.',
    'The whole order is committed by the root of a hash tree before any bet; every card is proven against it, and the shoe is opened at its end.',
    '`punto verify`; `docs/record.md`; the rows on shoes in conformance.html',
  ],
  [
    'The outcome does not adapt to what was won or lost.',
    'Rules and settlement are functions of the cards alone, in folders that may import no money and no history.',
    '`tests/architecture/importRules.test.ts`: the import rules',
  ],
  [
    'Chances are those of the live game.',
    'The same decks, the same table of play; exact counts in the PAR sheets.',
    '"results of rounds" below; `punto simulate`',
  ],
];

const formatFigure = (value: number): string => String(Number(value.toPrecision(6)));

export function batteryPage(battery: BatteryResult): string {
  const { shoe, shoes, words, verdict, reduced, source } = battery;
  const families = [...Map.groupBy(verdict.findings, ({ family }) => family)];
  const smallestBound = verdict.alpha / verdict.findings.length;
  return htmlDocument(
    'Tests of the shuffle',
    htmlParagraph(
      `${hasBatteryPassed(battery) ? 'Passed' : 'NOT PASSED'}: ${verdict.findings.length} tests on ${shoes.toLocaleString('en')} shuffled shoes of ${shoe.decks} decks and on ${(words * 32).toLocaleString('en')} bits, drawn from ${sourceText(battery)}. ${verdict.off.length} are off at 99 % for all tests together (Holm's correction; the smallest p is held to ${formatFigure(smallestBound)}).`,
    ),
    htmlParagraph(
      source === 'system'
        ? 'This run cannot be repeated: the system gives other numbers each time. One honest run in a hundred is reported as off.'
        : 'A second run with this seed and as many shoes gives these figures to the digit.',
    ),
    ...(verdict.leftOut.size > 0
      ? [
          htmlParagraph(
            `Left out, since a cell would have fewer than five: ${[...verdict.leftOut].map(([family, count]) => `${count} of "${family}"`).join(', ')}. More shoes bring them in.`,
          ),
        ]
      : []),
    htmlHeading('What is tested'),
    htmlParagraph(
      'A virtual shoe is shuffled by one function (shuffled, src/runtime/ports/random.ts), which every table calls and the battery calls: from the last card down, each changes places with one drawn from those up to it, all equally likely. Numbers of a range come from words of 32 bits by one function (uniformBelow, the same file): words above the last whole multiple of the range are rejected, so that none is favoured. Both are the same whatever the words come from.',
    ),
    htmlParagraph(
      'In production the words come from the cryptographic generator of the operating system, which the operating system seeds (systemRandom: node:crypto randomBytes). Nothing else goes into a shuffle: no stake, no patron, no result, no clock. A seed takes its place only when an operator gives one to try things out; here it makes the run repeatable. `punto labpack --source system` runs the same tests on the generator of the system.',
    ),
    htmlHeading('Requirements on random numbers'),
    htmlTable(
      ['requirement', 'how it is met', 'shown by'],
      requirements.map((cells) => ({ cells })),
    ),
    htmlHeading('Exhaustive test of a small source'),
    htmlParagraph(
      `By the very same functions, with a source of ${reduced.range} values in the place of 2^32: for each of ${reduced.limits} ranges every word was tried, and ${reduced.uneven.length === 0 ? 'each number came from exactly as many words as any other' : `numbers below ${reduced.uneven.join(', ')} were NOT equally likely`}. For ${reduced.shuffles.join(', ')} cards every row of draws was tried, and ${reduced.unfair.length === 0 ? 'each order came exactly once' : `with ${reduced.unfair.join(', ')} cards some orders came more often than others`}. With words of 32 bits fewer than one in six million is rejected for a shoe of ten decks.`,
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
      'p is how often chance alone is off that far or further, to either side: too even is as suspicious as too uneven. Among honest tests about one in a hundred has a p below 0.01. All expectations are exact. Chi-square by the incomplete gamma function, deviates by the error function.',
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
