import { socketUrl, openSocket } from '../../src/client/nodeSocket.ts';
import { PatronClient, type PatronState } from '../../src/client/patronClient.ts';
import { systemEnvironment, randomHex } from '../../src/client/environment.ts';

/** A terminal that comes to one server after another, whenever the one before is gone. */
export class Visitor {
  protected readonly patron: PatronClient;
  /** How many servers it has come to. */
  protected life = 0;
  #address = '';

  constructor(table: string) {
    this.patron = new PatronClient(systemEnvironment(openSocket), () => socketUrl(this.#address), randomHex(32));
    this.patron.sit(table);
  }

  /** Comes in, and stays until the link breaks. */
  connect(address: string): void {
    this.#address = address;
    this.life += 1;
    this.patron.open();
  }

  /** The server is gone, and everything that it answered has been heard. */
  async alone(): Promise<void> {
    const alone = Promise.withResolvers<void>();
    const look = ({ connection }: PatronState): void => {
      if (connection !== 'open') alone.resolve();
    };
    const stop = this.patron.watch(look);
    look(this.patron.state);
    await alone.promise;
    stop();
  }

  leave(): void {
    this.patron.close();
  }
}
