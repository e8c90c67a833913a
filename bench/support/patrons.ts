import { openWebSocketInNode } from '../../src/client/webSocketInNode.ts';
import { PatronClient } from '../../src/client/patronClient.ts';
import { createClientEnvironment, randomHex } from '../../src/client/environment.ts';
import { type PublicTableView } from '../../src/wire/tableView.ts';

/** A new patron who has a seat at a table, once a round is there; it fails when the server refuses the seat. */
export async function seatedPatron(
  address: string,
  table: string,
): Promise<{ patron: PatronClient; view: PublicTableView }> {
  const patron = new PatronClient(createClientEnvironment(openWebSocketInNode), () => address, randomHex(32));
  const seated = Promise.withResolvers<PublicTableView>();
  patron.watch(({ view, own }, message) => {
    if (message?.type === 'refused') seated.reject(new Error(`A terminal got no seat: ${message.message}`));
    if (view?.round && own !== null) seated.resolve(view);
  });
  patron.sit(table);
  patron.open();
  return { patron, view: await seated.promise };
}
