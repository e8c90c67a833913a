import { expect, test } from 'vitest';
import { type Card, cardsOfDeck } from '../../src/rules/card.ts';
import { type Game, versionedGameId } from '../../src/rules/game.ts';
import { slots } from '../../src/rules/play.ts';
import { parseTableCommand } from '../../src/table/schema/parseCommand.ts';
import { dealerPromptOf } from '../../src/table/views/prompt.ts';
import { publicView, terminalView } from '../../src/table/views/publicView.ts';
import { historyOfScenario } from '../history/storedEntries.ts';
import { ranksOf } from '../rulebook/deals.ts';
import { inDeck } from '../rulebook/liveClaims.ts';
import {
  TableScenario,
  cardsIn,
  defaultSettings,
  natural,
  openedTable,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
} from './tableScenario.ts';

// Claims about the table, shoe and hands of a game, each under its own row.

/** [title] A table opens the game from the first moment of its book, in property time; its rounds name the version. */
export function openFrom(id: string, game: Game, firstMoment: string): void {
  test.each([
    ['Asia/Singapore', '+08:00'],
    ['America/Bogota', '-05:00'],
  ])(
    `[${id}] a table in %s opens ${game.id} from ${firstMoment} on, and a settled round names ${versionedGameId(game)}`,
    (timeZone, offset) => {
      const from = Date.parse(`${firstMoment}${offset}`);
      const profile = { ...defaultSettings(game.id).profile, timeZone };
      const open = (at: number) => {
        const scenario = new TableScenario();
        scenario.at = at;
        const opening = { settings: defaultSettings(game.id, { profile }), second: shiftManager };
        return { scenario, decision: scenario.submit('OpenTable', opening, pitManager) };
      };
      expect(open(from - 1).decision).toMatchObject({ refused: 'game-not-in-force' });
      const scenario = open(from).scenario.shoe().playRound(inDeck(game.deck, natural));
      expect(scenario.events('BetsOpened')).toMatchObject([{ round: scenario.round, game: versionedGameId(game) }]);
      expect(scenario.events('RoundSettled')).toMatchObject([{ round: scenario.round }]);
      expect(scenario.table!.round).toMatchObject({ game: versionedGameId(game) });
      expect(historyOfScenario(scenario).rounds[scenario.round]).toMatchObject({
        game: versionedGameId(game),
        ends: [{ settlement: `${scenario.round}#1` }],
      });
    },
  );
}

/** [1.1] Totals, winner and results follow the cards of the state, not what was added up before. */
export function totalsOfCards(id: string, game: Game): void {
  test(`[${id}] at ${game.id} totals and results are those of the cards, whatever figure was kept before`, () => {
    const scenario = readyTable(game.id)
      .bets({ T1: { player: 1000, tie: 1000 } })
      .close()
      .deal(inDeck(game.deck, '9S 2C KH 4D'));
    expect(publicView(scenario.table!).round).toMatchObject({ player: { total: 9 }, banker: { total: 6 } });
    // The fourth card becomes a seven. Wrong figures are put beside the cards.
    scenario.table!.round!.cards = [...cardsIn(inDeck(game.deck, '9S 2C KH 7D'))];
    const kept = { player: { total: 1 }, banker: { total: 6 }, playerTotal: 1, bankerTotal: 6, winner: 'banker' };
    Object.assign(scenario.table!.round!, kept);
    expect(publicView(scenario.table!).round).toMatchObject({
      player: { total: 9 },
      banker: { total: 9 },
      winner: 'tie',
    });
    expect(dealerPromptOf(scenario.table!)).toMatchObject({ code: 'result-tie', with: { player: '9', banker: '9' } });
    const [settled] = scenario.wait(2_000).do('Settle', {});
    expect(settled).toMatchObject({ results: { player: { result: 'push' }, tie: { result: 'win', pays: [8, 1] } } });
    expect(scenario.balance('T1')).toBe(8000);
  });
}

/** [2.1] A shoe is ready only with all its cards, and when they and their backs were seen to match. */
export function matchingBacks(id: string, game: Game): void {
  const size = cardsOfDeck(game.deck).length;
  test.each([{ decks: 8, backs: 'red' }, { backs: 'red' }, { decks: 8 }, {}])(
    `[${id}] at ${game.id} a shoe with %j declared is not ready until its cards are all there and match`,
    (declared) => {
      const scenario = openedTable(game.id);
      scenario.do('BringShoe', { shoe: 'S1', seal: 'seal 17', ...declared });
      scenario.do('ShuffleShoe', { method: 'machine' });
      scenario.do('CutShoe', { behind: 14 });
      for (const cards of [size * 8 - 1, size * 8 + 1, size * 7]) {
        scenario.do('CountCards', { cards });
        expect(scenario.refusal('VerifyShoe', {})).toMatchObject({ refused: 'wrong-count', expected: size * 8 });
      }
      scenario.do('CountCards', { cards: size * 8 });
      const refused = { refused: 'not-inspected', by: `${game.book} 2.1` };
      const isDeclared = Object.keys(declared).length > 0;
      if (isDeclared) expect(scenario.refusal('VerifyShoe', {})).toMatchObject(refused);
      scenario.do('InspectCards', { match: false, note: 'one back is blue' });
      expect(scenario.refusal('VerifyShoe', {})).toMatchObject(refused);
      scenario.do('InspectCards', { match: true });
      scenario.doByTwo('VerifyShoe', {});
      scenario.bets().close();
      const joker = { slot: 'P1', card: 'Joker' as Card } as const;
      expect(scenario.refusal('DealCard', joker)).toMatchObject({ refused: 'unknown-card' });
    },
  );
  test(`[${id}] at ${game.id} the last inspection of a shoe decides whether it may be declared ready`, () => {
    const refused = { refused: 'not-inspected', by: `${game.book} 2.1` };
    let notReady = 0;
    for (const declared of [{ decks: 8, backs: 'red' }, { backs: 'red' }, { decks: 8 }, {}]) {
      for (const findings of ['', 'f', 't', 'tf', 'ft', 'ttf', 'tft', 'ftf', 'fft']) {
        const label = `${JSON.stringify(declared)} ${findings}`;
        const scenario = openedTable(game.id);
        // Another shoe of the table passed its inspection, which says nothing of this one.
        scenario.do('BringShoe', { shoe: 'S0', seal: 'seal 16', ...declared });
        scenario.do('InspectCards', { match: true });
        scenario.doByTwo('EndShoe', { seen: {} });
        scenario.do('BringShoe', { shoe: 'S1', seal: 'seal 17', ...declared });
        for (const finding of findings) scenario.do('InspectCards', { match: finding === 't' });
        scenario.do('CountCards', { cards: size * 8 });
        scenario.do('ShuffleShoe', { method: 'machine' });
        scenario.do('CutShoe', { behind: 14 });
        const mayBeReady = findings.endsWith('t') || (findings === '' && Object.keys(declared).length === 0);
        if (!mayBeReady) {
          expect(scenario.refusal('VerifyShoe', {}), label).toMatchObject(refused);
          notReady += 1;
        } else {
          // An inspection that fails between proposal and approval counts as well.
          scenario.do('VerifyShoe', {});
          const { id: proposal, hash } = scenario.table!.proposal!;
          scenario.do('InspectCards', { match: false });
          expect(scenario.submit('Approve', { proposal, hash }, supervisor), label).toHaveProperty('refused');
          expect(scenario.refusal('VerifyShoe', {}), label).toMatchObject(refused);
        }
        expect(publicView(scenario.table!).shoe, label).toMatchObject({ id: 'S1', ready: false });
        expect(scenario.refusal('OpenBets', {}), label).toMatchObject({ refused: 'shoe-not-ready' });
        scenario.do('InspectCards', { match: true });
        scenario.doByTwo('VerifyShoe', {});
        expect(publicView(scenario.table!).shoe, label).toMatchObject({ id: 'S1', ready: true });
        expect(scenario.do('OpenBets', {}), label).toMatchObject([{ type: 'BetsOpened' }]);
      }
    }
    expect(notReady).toBe(4 * 4 + 3);
  });
  test(`[${id}] at ${game.id} a table has four to ten decks, and its shoe as many cards`, () => {
    const limits = Array.from({ length: 14 }, (_, decks) => decks);
    for (const decks of [...limits, 4.5, 9.9]) {
      const scenario = new TableScenario();
      const opening = { settings: defaultSettings(game.id, { decks }), second: shiftManager };
      const decision = scenario.submit('OpenTable', opening, pitManager);
      if (decks < 4 || decks > 10 || !Number.isInteger(decks)) {
        expect(decision, String(decks)).toMatchObject({ refused: 'bad-decks' });
        const settings = defaultSettings(game.id, { decks });
        const changed = openedTable(game.id).submit('ChangeSettings', { settings }, pitManager);
        expect(changed, String(decks)).toMatchObject({ refused: 'bad-decks' });
        continue;
      }
      for (const other of limits.filter((one) => one !== decks)) {
        const declared = scenario.submit('BringShoe', { shoe: 'S1', seal: 'seal 17', decks: other });
        expect(declared, `${other} of ${decks}`).toMatchObject({ refused: 'wrong-count', expected: decks });
      }
      scenario.do('BringShoe', { shoe: 'S1', seal: 'seal 17' });
      expect(publicView(scenario.table!)).toMatchObject({ decks, shoe: { cards: decks * size } });
    }
  });
}

/** [3.6] One Player hand and one Banker hand for all patrons. */
export function sameHandsForAll(id: string, game: Game): void {
  test(`[${id}] at ${game.id} all terminals have the same two hands, and there is no slot of a third`, () => {
    const roundFor = (terminals: number) => {
      const slips = Array.from({ length: terminals }, (_, n) => [`T${n}`, { player: 1000 }] as const);
      const scenario = readyTable(game.id).bets(Object.fromEntries(slips)).close();
      for (const slot of ['C1', 'T1', 'Player', 'P4', 'B4']) {
        const card = { slot: slot as 'P1', card: ranksOf(game.deck)[8]! };
        expect(scenario.submit('DealCard', card), slot).toHaveProperty('refused');
        const command = { type: 'DealCard', at: 0, actor: { person: 'd1', role: 'dealer' }, ...card };
        expect(parseTableCommand({ ...command, slot: 'P1' })).not.toHaveProperty('refused');
        expect(parseTableCommand(command), slot).toHaveProperty('refused');
      }
      scenario.deal(inDeck(game.deck, natural)).settle();
      const hands = publicView(scenario.table!).round!;
      expect(Object.keys(hands).filter((name) => Object.hasOwn(Object(hands[name as 'player']), 'total'))).toEqual([
        'player',
        'banker',
      ]);
      const paid = slips.map(([terminal]) => terminalView(scenario.table!, terminal).paid);
      expect(new Set(paid.map((one) => JSON.stringify(one))).size).toBe(Math.min(1, terminals));
      return { player: hands.player, banker: hands.banker };
    };
    const one = roundFor(1);
    expect(one).toEqual({
      player: { cards: cardsIn(inDeck(game.deck, '9S 9H')), total: 8 },
      banker: { cards: cardsIn(inDeck(game.deck, '2C 4D')), total: 6 },
    });
    for (const terminals of [0, 2, 40]) expect(roundFor(terminals)).toEqual(one);
    expect(new Set(slots.map((slot) => slot[0]))).toEqual(new Set(['P', 'B']));
  });
}
