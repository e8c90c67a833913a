import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { seededChance } from '../../src/floor/chance.ts';
import { seed } from '../seed.ts';
import { databases, server } from '../store/databases.ts';
import { isSoak, tell, times } from '../times.ts';
import { Pair } from './pair.ts';

const root = mkdtempSync(join(tmpdir(), 'punto-nodes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const kills = isSoak ? times(1) : 5;
const chance = seededChance(`${seed} nodes`);

describe('two nodes on one database', () => {
  const { fresh } = databases('pair');

  test(`whoever drives is killed ${kills} times under load: no acknowledged slip, note or ticket is lost or doubled, every round ends once, the record verifies each time`, async () => {
    const address = `${server}/${await fresh()}`;
    const pair = await Pair.made(chance, { root, name: 'killed', addresses: [address, address] });
    await pair.open();
    const spans: number[] = [];
    for (let n = 0; n < kills; n++) {
      await pair.plays(50 + chance.below(100));
      const { driver, waiting } = pair;
      const before = performance.now();
      await driver.signal('SIGKILL');
      await pair.gone();
      const verified = pair.verified();
      await waiting.until(() => waiting.drives, 'drives');
      spans.push(Math.round(performance.now() - before));
      expect(await verified).toBeUndefined();
      driver.start();
      await driver.until(() => driver.waits, 'waits');
    }
    await pair.plays(50);
    await Promise.all(pair.nodes.map((node) => node.signal('SIGKILL')));
    await pair.gone();
    const { wrong, events } = await pair.look();
    expect(wrong).toEqual([]);
    const [settled, voids] = [events.get('RoundSettled') ?? 0, events.get('RoundVoided') ?? 0];
    tell(
      `${kills} kills: ${pair.accepted} slips accepted, ${pair.moved} notes and tickets answered, ${settled} rounds settled, ${voids} void`,
    );
    tell(`driven again after ${spans.join(', ')} ms with a lease of 1000 ms`);
    pair.leave();
  });
});
