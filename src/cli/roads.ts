import { object, optional, read, text } from '../rules/fields.ts';
import { type Ask, type Result, type Roads, roadsOf } from '../roads/roads.ts';
import { type Refusal, isRefused, quoted, refuse } from '../rules/refusal.ts';
import { type Command } from './command.ts';
import { type Answer, answerLines } from './lines.ts';
import { type ErrorCode } from './codes.ts';
import { Stop } from './stop.ts';

export const roads: Command = {
  help: `Usage: punto roads --jsonl < shoes.jsonl

  --jsonl   one JSON object a line on standard input, one answer a line on standard output:
            {"results":"BBPTB","pairs":"--B-D"}
            "results" has a letter for each settled round: B, P or T
            "pairs", which may be left out, has a sign for each of them: - none, B, P, or D for both`,
  options: { jsonl: { type: 'boolean' } },
  mostArguments: 0,
  run: ({ jsonl }, _, pipes) => {
    if (jsonl) return answerLines(pipes, drawLine);
    throw new Stop(2, 'missing-argument', 'Results are read as lines of JSON; add --jsonl.');
  },
};

const winners: { readonly [letter: string]: Result['winner'] } = { B: 'banker', P: 'player', T: 'tie' };
const letters = { banker: 'B', player: 'P', tie: 'T' } as const;

const shoe = object('a shoe', { results: text, pairs: optional(text) });

const drawLine: Answer = (request) => {
  const fields = read(request, shoe);
  if (isRefused(fields)) return fields;
  const results = readResults(fields.results, fields.pairs);
  return isRefused(results) ? results : drawn(roadsOf(results), fields.pairs !== undefined);
};

function readResults(row: string, pairs: string | undefined): readonly Result[] | Refusal<ErrorCode> {
  if (!/^[BPT]*$/.test(row)) {
    return refuse<ErrorCode>('bad-results', `${quoted(row)} is no row of results; use the letters B, P and T alone.`);
  }
  if (pairs !== undefined && (pairs.length !== row.length || !/^[-BPD]*$/.test(pairs))) {
    return refuse<ErrorCode>(
      'bad-results',
      `${quoted(pairs)} does not fit the results; give one of -, B, P or D for each.`,
    );
  }
  return row.split('').map((letter, place) => {
    const pair = pairs?.[place] ?? '-';
    return { winner: winners[letter]!, bankerPair: 'BD'.includes(pair), playerPair: 'PD'.includes(pair) };
  });
}

const pairSign = ({ bankerPair, playerPair }: Omit<Result, 'winner'>): string =>
  bankerPair ? (playerPair ? 'D' : 'B') : playerPair ? 'P' : '-';

const asked = ({ bigEye, small, cockroach }: Ask) => ({
  bigEye: bigEye ?? '',
  small: small ?? '',
  cockroach: cockroach ?? '',
});

const drawn = (board: Roads, pairs: boolean) => ({
  bigEye: board.marksOf('bigEye').join(''),
  small: board.marksOf('small').join(''),
  cockroach: board.marksOf('cockroach').join(''),
  ask: { banker: asked(board.ask('banker')), player: asked(board.ask('player')) },
  bigRoad: board.bigRoad.map((cell) => ({
    column: cell.column,
    row: cell.row,
    winner: letters[cell.winner],
    ties: cell.ties,
    ...(pairs ? { pair: pairSign(cell) } : {}),
  })),
  beadPlate: board.beads.map((bead) => ({
    column: bead.column,
    row: bead.row,
    winner: letters[bead.winner],
    ...(pairs ? { pair: pairSign(bead) } : {}),
  })),
});
