import { countText, pluralNoun } from '../../base/countText.ts';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { freshShoe } from '../../odds/composition.ts';
import { percentText } from '../../odds/sheetFigures.ts';
import { fraction, fractionToNumber, formatFraction } from '../../odds/fraction.ts';
import { type FrequencyTestResult, FrequencyTest } from '../../sim/frequencyTest.ts';
import {
  type BatchResult,
  type BatchOrder,
  type SimulationParameters,
  type WorkerTask,
  shoesPerBatch,
} from '../../sim/play.ts';
import { type OutcomeSlots, outcomeSlotsFor } from '../../sim/outcomeSlots.ts';
import { cardsOfDeck } from '../../rules/card.ts';
import { versionedGameId } from '../../rules/game.ts';
import { formatRatio } from '../../base/ratio.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { parseShoeDecks } from '../../rules/shoe.ts';
import { parseDecksOption, parseWholeNumberOption } from '../support/arguments.ts';
import { chooseGame } from '../support/chooseGame.ts';
import { type CliCommand, type CommandStreams, type OptionValues, optionText } from '../support/commandLine.ts';
import { formatColumns, print } from '../support/print.ts';
import { type Progress, ProgressLine } from '../support/progressLine.ts';
import { CliError, unwrap, interruptedExitCode } from '../support/cliError.ts';

export const simulateCommand: CliCommand = {
  help: `Usage: punto simulate GAME [--decks N] [--rounds N | --shoes N] [--seed S] [--workers N] [--cut N] [--json]

  GAME              a game such as tiger, or one version of it such as tiger@2021-10-28
  --file FILE       a game from a JSON file instead, as \`punto rules GAME --json\` prints it
  --decks N         decks in the shoe, 4 to 10; default 8
  --rounds N        play whole batches of ${shoesPerBatch} shoes until N rounds are played; default 1e7
  --shoes N         play exactly N shoes instead
  --seed S          any text; the same seed gives the same rounds; default 1. Write --seed=-5 if it begins with a hyphen
  --workers N       number of threads; default one for each processor. The result does not depend on it
  --cut N           number of cards behind the cutting card; default 14
  --through rules   settle every round by the rules instead of the fast kernel: slower, with the same result
  --json            print everything as JSON
The exact odds are those of the first round of a full shoe. z is computed from the variance between batches, or, with fewer
than 20 batches, from the variance of independent rounds. Exit code 1 if an outcome differs by more than chance allows at
99.9 % (Holm-corrected over all outcomes), or if nothing was played. Ctrl-C prints the result of the rounds played so far,
with exit code 130.`,
  options: {
    file: { type: 'string' },
    decks: { type: 'string' },
    rounds: { type: 'string' },
    shoes: { type: 'string' },
    seed: { type: 'string' },
    workers: { type: 'string' },
    cut: { type: 'string' },
    through: { type: 'string' },
    json: { type: 'boolean' },
  },
  maxArguments: 1,
  run: async (values, [name], pipes) => {
    const game = chooseGame(name, optionText(values, 'file'), 'simulate');
    const { decks } = unwrap(parseShoeDecks(game.deck, parseDecksOption(values)));
    const cut = parseWholeNumberOption(values, 'cut', 6, cardsOfDeck(game.deck).length * decks - 6) ?? 14;
    const task: WorkerTask = {
      simulation: { game, decks, cut, seed: optionText(values, 'seed') ?? '1' },
      engine: throughOption(values),
    };
    const workers = parseWholeNumberOption(values, 'workers', 1, 256) ?? availableParallelism();
    const goal = goalOption(values);
    const slots = outcomeSlotsFor(game, freshShoe({ deck: game.deck, decks }));
    const started = performance.now();
    const { evidence, isComplete } = await runWorkers(task, goal, workers, new FrequencyTest(slots), pipes);
    const seconds = (performance.now() - started) / 1000;
    const report = { simulation: task.simulation, workers, seconds, goal, isComplete, evidence, slots };
    print(pipes.output, ...(values['json'] ? [JSON.stringify(reportJson(report), null, 2)] : reportTable(report)));
    if (!isComplete) {
      pipes.errors.write(`punto: Interrupted after ${playedText(goal, evidence)}; the result covers only these.\n`);
      return interruptedExitCode;
    }
    return evidence.agrees ? 0 : 1;
  },
};

type Goal = { readonly rounds: number } | { readonly shoes: number };

function goalOption(values: OptionValues): Goal {
  const rounds = parseWholeNumberOption(values, 'rounds', 1, 1e13);
  const shoes = parseWholeNumberOption(values, 'shoes', 1, 1e11);
  if (rounds !== undefined && shoes !== undefined) {
    throw new CliError(2, 'unexpected-argument', 'Give either --rounds or --shoes, not both.');
  }
  return shoes === undefined ? { rounds: rounds ?? 1e7 } : { shoes };
}

function throughOption(values: OptionValues): WorkerTask['engine'] {
  const through = optionText(values, 'through') ?? 'kernel';
  if (through === 'kernel' || through === 'rules') return through;
  throw new CliError(
    2,
    'malformed-argument',
    `--through is ${quoteForMessage(through)}; write --through rules or leave it out.`,
  );
}

/**
 * Maximum number of batches per worker that are not added to the result yet: they are being played, or wait for an
 * earlier batch. Limits the memory in use.
 */
const maxBatchesInFlight = 50;

/**
 * Plays batches in worker threads. Their results are added in the order of the batches. So the result is the same for
 * any number of workers.
 */
async function runWorkers(
  task: WorkerTask,
  goal: Goal,
  workers: number,
  scale: FrequencyTest,
  { errors, signals }: CommandStreams,
): Promise<{ readonly evidence: FrequencyTestResult; readonly isComplete: boolean }> {
  const pool = Array.from(
    { length: workers },
    () => new Worker(new URL('../../sim/worker.ts', import.meta.url), { workerData: task }),
  );
  const finished = new Map<number, BatchResult>();
  const started = performance.now();
  const progress = new ProgressLine(errors);
  let handedOut = 0;
  let weighed = 0;

  const nextOrder = (): BatchOrder | undefined => {
    if (handedOut - weighed > maxBatchesInFlight * workers) return undefined;
    const fromShoe = handedOut * shoesPerBatch;
    const shoesLeft = 'shoes' in goal ? goal.shoes - fromShoe : shoesPerBatch;
    return shoesLeft > 0 ? { batch: handedOut++, fromShoe, shoes: Math.min(shoesLeft, shoesPerBatch) } : undefined;
  };
  const isEnough = (): boolean =>
    'shoes' in goal ? weighed * shoesPerBatch >= goal.shoes : scale.rounds >= goal.rounds;

  try {
    await new Promise<void>((resolve, reject) => {
      // `on`, not `once`: the same SIGINT may arrive from the terminal window and from scripts/run.mjs.
      signals.on('SIGINT', resolve);
      const idle: Worker[] = [];
      const next = (worker: Worker): void => {
        const order = nextOrder();
        if (order) worker.postMessage(order);
        else idle.push(worker);
      };
      for (const worker of pool) {
        worker.on('error', reject);
        worker.on('message', (done: BatchResult) => {
          finished.set(done.batch, done);
          for (let ready = finished.get(weighed); ready && !isEnough(); ready = finished.get(weighed)) {
            finished.delete(weighed++);
            scale.add(ready, ready.shoes);
          }
          progress.show(() => progressOf(goal, scale, (performance.now() - started) / 1000));
          if (isEnough()) resolve();
          else for (const free of [worker, ...idle.splice(0)]) next(free);
        });
        // Each worker gets two batches. It plays the second while the result of the first is added.
        next(worker);
        next(worker);
      }
    });
  } finally {
    progress.clear();
    await Promise.all(pool.map((worker) => worker.terminate()));
  }
  return { evidence: scale.evaluate(), isComplete: isEnough() };
}

/** Number of rounds or shoes played: "4,100,000 of 10,000,000 rounds". */
function playedText(goal: Goal, { rounds, shoes }: FrequencyTestResult): string {
  const [played, target, noun] = 'shoes' in goal ? [shoes, goal.shoes, 'shoe'] : [rounds, goal.rounds, 'round'];
  return `${played.toLocaleString('en')} of ${target.toLocaleString('en')} ${pluralNoun(target, noun)}`;
}

function progressOf(goal: Goal, { rounds, shoes }: FrequencyTest, seconds: number): Progress {
  const part = Math.min(1, 'shoes' in goal ? shoes / goal.shoes : rounds / goal.rounds);
  const secondsLeft = part > 0 ? [`${Math.ceil(seconds / part - seconds)} s left`] : [];
  const played = `${rounds.toLocaleString('en')} rounds`;
  const rate = `${(rounds / seconds / 1e6).toFixed(1)} million a second`;
  return {
    part,
    texts: [[played, rate, ...secondsLeft].join(', '), [played, ...secondsLeft].join(', '), percentText(part, 0)],
  };
}

type Report = {
  readonly simulation: SimulationParameters;
  readonly workers: number;
  readonly seconds: number;
  readonly goal: Goal;
  readonly isComplete: boolean;
  readonly evidence: FrequencyTestResult;
  readonly slots: OutcomeSlots;
};

const reportJson = ({ simulation, workers, seconds, goal, isComplete, evidence, slots }: Report) => {
  const wagers: { [id: string]: { outcomes: object[] } } = {};
  slots.slots.forEach(({ wager, net, count }, index) => {
    const { count: observed, frequency, z, off } = evidence.findings[index]!;
    const outcome = {
      net: formatRatio(net),
      count: observed,
      frequency,
      probability: formatFraction(fraction(count, slots.deals)),
      z,
      off,
    };
    (wagers[wager] ??= { outcomes: [] }).outcomes.push(outcome);
  });
  return {
    game: simulation.game.id,
    version: simulation.game.version,
    decks: simulation.decks,
    cut: simulation.cut,
    request: goal,
    complete: isComplete,
    rounds: evidence.rounds,
    shoes: evidence.shoes,
    seed: simulation.seed,
    workers,
    seconds,
    roundsPerSecond: evidence.rounds / seconds,
    agrees: evidence.agrees,
    variance: evidence.variance,
    wagers,
  };
};

function reportTable({ simulation, workers, seconds, isComplete, evidence, slots }: Report): readonly string[] {
  const rows = slots.slots.map(({ wager, net, count }, index) => {
    const { count: observed, frequency, z, off } = evidence.findings[index]!;
    const isFirst = slots.slots[index - 1]?.wager !== wager;
    const probability = percentText(fractionToNumber(fraction(count, slots.deals)), 6);
    return [
      isFirst ? wager : '',
      formatRatio(net),
      String(observed),
      percentText(frequency, 6),
      probability,
      z.toFixed(2),
      off ? 'OFF' : '',
    ];
  });
  const { game, decks, cut, seed } = simulation;
  return [
    `${game.name} (${versionedGameId(game)}), ${decks} decks, cutting card ${cut} from the end, seed ${seed}`,
    `${evidence.rounds.toLocaleString('en')} ${pluralNoun(evidence.rounds, 'round')}, ${evidence.shoes.toLocaleString('en')} ${pluralNoun(evidence.shoes, 'shoe')}, ${countText(workers, 'worker')}, ${seconds.toFixed(1)} s, ${(evidence.rounds / seconds / 1e6).toFixed(1)} million rounds a second`,
    '',
    ...formatColumns(['wager', '>net', '>rounds', '>frequency', '>exact', '>z', ''], rows),
    '',
    verdictOf(evidence, isComplete),
  ];
}

function verdictOf({ rounds, agrees }: FrequencyTestResult, isComplete: boolean): string {
  if (rounds === 0) return 'Nothing was played: there is no evidence.';
  const scope = isComplete ? '' : ' of the rounds before the interruption';
  return `${agrees ? 'Every' : 'NOT every'} outcome${scope} agrees with its exact odds.`;
}
