import { expect, test } from 'vitest';
import { previewCommand } from '../../../src/table/views/commandPreview.ts';
import { proposalEffectsOfCommand } from '../../../src/table/views/proposalEffects.ts';
import { dealer, natural, openedTable, readyTable } from '../tableScenario.ts';

// Effects of chosen events, also of such as no command of today produces in this order.

const stakes = { T1: { player: 1000 }, T2: { banker: 1000, tie: 200 } };

test('a preview of a command that needs no approval has no proposal', () => {
  const preview = previewCommand({ type: 'OpenBets' as 'CloseTable' }, readyTable('baccarat').table!, {
    actor: dealer,
  });
  expect(preview).toMatchObject({ second: null, proposal: null });
});

test('effects without a shoe, of a resumed or void round, and of a referral without a proposal are shown too', () => {
  const close = { type: 'CloseTable', reason: 'x' } as const;
  expect(proposalEffectsOfCommand(close, [], openedTable('baccarat').table!)).toMatchObject({
    shoe: null,
    round: null,
  });
  const verify = proposalEffectsOfCommand(
    { type: 'VerifyShoe' },
    { refused: 'not-now' },
    openedTable('baccarat').table!,
  );
  expect(verify).toMatchObject({ not: 'not-now', changes: [], shoe: null });
  const scenario = readyTable('baccarat').bets(stakes).close().deal(natural);
  const table = scenario.table!;
  const round = table.round!.id;
  const confirm = { type: 'ConfirmRuling' } as const;
  const resumed = { type: 'RoundResumed', round, by: 'HOUSE 6', won: ['player'], lost: ['banker'] } as const;
  const referred = { type: 'Referred', round, by: 'HOUSE 1' } as const;
  expect(proposalEffectsOfCommand(confirm, [resumed, referred], table)).toMatchObject({
    changes: [
      { type: 'round-resume', won: ['player'], lost: ['banker'] },
      { type: 'refer', by: 'HOUSE 1', decision: null },
    ],
  });
  const ending = { voidBy: 'BAC 5.1.1' } as const;
  const isVoid = { ...table, round: { ...table.round!, ending } };
  const resettled = { type: 'RoundResettled', round, by: 'HOUSE 9' } as const;
  expect(proposalEffectsOfCommand(confirm, [resettled], isVoid).round!.before).toEqual({ type: 'void' });
});

test('amounts of a round that is not settled are live from the credit of each session', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal(natural);
  const table = scenario.table!;
  const command = { type: 'VoidRound', reason: 'x' } as const;
  const events = [{ type: 'RoundVoided', round: table.round!.id, by: 'BAC 5.1.1', reason: 'x' }] as const;
  const { money } = proposalEffectsOfCommand(command, events, table, () => ({ credit: 500, open: true }));
  expect(money!.rows[0]).toMatchObject({ paid: null, due: 1_000, credit: 500, collected: 0, short: 0 });
});
