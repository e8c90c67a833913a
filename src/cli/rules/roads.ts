import { parse } from '../../base/schema.ts';
import * as s from '../../base/schemas.ts';
import { type NextMarks, type RoadResult, type Roads, roadsOf, roadsView } from '../../roads/roads.ts';
import { type Refusal, isRefused, quoteForMessage, refuse } from '../../base/refusal.ts';
import { throwIfGivenWithJsonl } from '../support/arguments.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import { type LineHandler, answerJsonLines } from '../support/jsonLines.ts';
import { type ErrorCode } from '../support/errorCodes.ts';
import { allRoadsLines } from '../play/roadsText.ts';
import { print } from '../support/print.ts';
import { CliError, unwrap } from '../support/cliError.ts';

export const roadsCommand: CliCommand = {
  help: `Usage: punto roads RESULTS [--pairs SIGNS]
       punto roads --jsonl < shoes.jsonl

  RESULTS   one letter for each settled round, such as BBPTB: B for Banker, P for Player, T for Tie
  --pairs SIGNS
            one sign for each round, as in --pairs=--B-D: - for no pair, B for a Banker pair, P for a Player pair, D for
            both
  --jsonl   one JSON object per line on standard input, one answer per line on standard output:
            {"results":"BBPTB","pairs":"--B-D"}
            "pairs" may be left out`,
  options: { jsonl: { type: 'boolean' }, pairs: { type: 'string' } },
  maxArguments: 1,
  run: (values, [resultLetters], pipes) => {
    if (values['jsonl']) {
      throwIfGivenWithJsonl(values, resultLetters, ['pairs']);
      return answerJsonLines(pipes, roadsHandler);
    }
    if (resultLetters === undefined) {
      throw new CliError(
        2,
        'missing-argument',
        'Give the results, as in `punto roads BBPTB`, or JSON lines with --jsonl.',
      );
    }
    print(
      pipes.output,
      ...allRoadsLines(roadsView(roadsOf(unwrap(parseResults(resultLetters, optionText(values, 'pairs')))))),
    );
    return 0;
  },
};

const winnerOf: { readonly [letter: string]: RoadResult['winner'] } = { B: 'banker', P: 'player', T: 'tie' };
const letterOf = { banker: 'B', player: 'P', tie: 'T' } as const;

const requestSchema = s.object('a shoe', { results: s.string, pairs: s.optional(s.string) });

const roadsHandler: LineHandler = (request) => {
  const fields = parse(request, requestSchema);
  if (isRefused(fields)) return fields;
  const results = parseResults(fields.results, fields.pairs);
  return isRefused(results) ? results : roadsJson(roadsOf(results), fields.pairs !== undefined);
};

function parseResults(resultLetters: string, pairs: string | undefined): readonly RoadResult[] | Refusal<ErrorCode> {
  if (!/^[BPT]*$/.test(resultLetters)) {
    return refuse<ErrorCode>(
      'bad-results',
      `${quoteForMessage(resultLetters)} is not a list of results; use only the letters B, P and T.`,
    );
  }
  if (pairs !== undefined && (pairs.length !== resultLetters.length || !/^[-BPD]*$/.test(pairs))) {
    return refuse<ErrorCode>(
      'bad-results',
      `${quoteForMessage(pairs)} does not match the results; give one of -, B, P or D for each round.`,
    );
  }
  return resultLetters.split('').map((letter, index) => {
    const pair = pairs?.[index] ?? '-';
    return { winner: winnerOf[letter]!, bankerPair: 'BD'.includes(pair), playerPair: 'PD'.includes(pair) };
  });
}

const pairSign = ({ bankerPair, playerPair }: Omit<RoadResult, 'winner'>): string =>
  bankerPair ? (playerPair ? 'D' : 'B') : playerPair ? 'P' : '-';

const nextMarks = ({ bigEye, small, cockroach }: NextMarks) => ({
  bigEye: bigEye ?? '',
  small: small ?? '',
  cockroach: cockroach ?? '',
});

const roadsJson = (board: Roads, withPairs: boolean) => ({
  bigEye: board.marksOf('bigEye').join(''),
  small: board.marksOf('small').join(''),
  cockroach: board.marksOf('cockroach').join(''),
  ask: { banker: nextMarks(board.ask('banker')), player: nextMarks(board.ask('player')) },
  bigRoad: board.bigRoad.map((cell) => ({
    column: cell.column,
    row: cell.row,
    winner: letterOf[cell.winner],
    ties: cell.ties,
    ...(withPairs ? { pair: pairSign(cell) } : {}),
  })),
  beadPlate: board.beads.map((bead) => ({
    column: bead.column,
    row: bead.row,
    winner: letterOf[bead.winner],
    ...(withPairs ? { pair: pairSign(bead) } : {}),
  })),
});
