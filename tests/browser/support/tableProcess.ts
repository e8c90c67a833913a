// A table in its own process, which a test can kill: `node tests/browser/support/tableProcess.ts FOLDER PORT AT`. It
// executes the requests of its parent one at a time. AT is the time of its clock at the start, however long the start
// takes.
import { join } from 'node:path';
import { loadOrCreateDataKey } from '../../../src/runtime/encryption/dataKey.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { type DealerRequest, Dealer, type DealerStatus } from './dealer.ts';
import { prepared } from './shoe.ts';

const [folder, port, at] = process.argv.slice(2);

const store = await openSqliteStore(join(folder!, 'data'));
const dealer = await Dealer.at('tiger', {
  store,
  key: loadOrCreateDataKey(join(folder!, 'data.key'), (await store.streams()).length === 0),
  // Player 9 to Banker 5 on six cards, then Banker 6 to 4 on five.
  chance: prepared('2C 3D 2D KS 5H 2H', '2C KD 2D 6S KH'),
  port: Number(port),
  later: Number(at) - Date.now(),
});
const sendStatus = (): void =>
  void process.send!({ address: dealer.address, clockOffset: dealer.clockOffset } satisfies DealerStatus);
process.on('message', async ({ act, cards }: DealerRequest) => {
  await (act === 'deal' ? dealer.deal(cards) : dealer[act]());
  sendStatus();
  if (act === 'leave') process.disconnect();
});
sendStatus();
