import { socketUrlOf, openWebSocketInNode } from '../../../src/client/webSocketInNode.ts';
import { PatronClient, type PatronClientState } from '../../../src/client/patronClient.ts';
import { createClientEnvironment, randomHex } from '../../../src/client/environment.ts';

/** Patron terminal that connects to one server after another. */
export class TestPatron {
  protected readonly patron: PatronClient;
  /** Number of servers to which it has connected. */
  protected serverCount = 0;
  #address = '';

  constructor(table: string) {
    this.patron = new PatronClient(
      createClientEnvironment(openWebSocketInNode),
      () => socketUrlOf(this.#address),
      randomHex(32),
    );
    this.patron.sit(table);
  }

  /** Connects; stays connected until the server is gone. */
  connect(address: string): void {
    this.#address = address;
    this.serverCount += 1;
    this.patron.open();
  }

  /** Waits until the server is gone and all its replies are received. */
  async waitForDisconnect(): Promise<void> {
    const disconnected = Promise.withResolvers<void>();
    const check = ({ connection }: PatronClientState): void => {
      if (connection !== 'open') disconnected.resolve();
    };
    const stop = this.patron.watch(check);
    check(this.patron.state);
    await disconnected.promise;
    stop();
  }

  disconnect(): void {
    this.patron.close();
  }
}
