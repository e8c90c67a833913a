import { expect, test } from 'vitest';
import { seededChance } from '../../src/floor/chance.ts';
import { nextStep } from '../../src/floor/pace.ts';
import { Sitting, floor, natural, usual } from '../table/sitting.ts';
import { demoPace } from './demo.ts';

const next = ({ table }: Sitting) => nextStep(table!, demoPace, undefined, seededChance('pace'));

test('[READING 59] without staff a void that a clause commands is carried out while something is referred, and nothing else', () => {
  const sit = new Sitting();
  sit.do('OpenTable', { setting: usual('tiger', { dealing: 'virtual', attended: false }) }, floor);
  sit.virtualShoe(natural);
  sit.do('OpenBets', {}, floor);
  sit.do('Refer', { reason: 'x' }, floor);
  expect(next(sit)).toBeUndefined();
  sit.do('ReportIrregularity', { kind: 'missing-card', note: 'one card short' }, floor);
  expect(next(sit)).toMatchObject({ asked: { type: 'VoidRound', reason: 'one card short' } });
  sit.do('VoidRound', { reason: 'one card short' }, floor);
  expect(sit.table).toMatchObject({ phase: 'idle', held: [], shoe: { lockedBy: 'ETG 5.1.1' } });
  expect(next(sit)).toBeUndefined();
});
