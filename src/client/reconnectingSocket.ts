import { type Hello, type Protocol } from './protocol.ts';
import { type Socket, type Environment } from './environment.ts';

/** `outdated` is for good: the server speaks another version, or the secret is dead. So is `closed`: it was ended from here. */
export type LinkState = 'joining' | 'open' | 'lost' | 'outdated' | 'closed';

/** Where a link leads, and what is said there first. */
type Door<R extends Protocol> = {
  /** Asked for at each try. */
  readonly address: () => string;
  /** Hello, and what may follow in the same breath. */
  readonly firstWords: () => readonly [Hello<R>, ...R['says'][]];
};

type Heard<R extends Protocol> = {
  readonly told: (tell: R['hears']) => void;
  readonly changed: (state: LinkState) => void;
};

/** Silence is counted in steps: whoever stood still himself takes one more step, and hears first what came meanwhile. */
const step = 500;
/** So many steps without a word and the link is lost. A server that lives says something every second. */
const mostSilent = 5;
/** What is heard may be so old, in milliseconds: a line that brings everything late is as good as lost. */
const mostLate = 2_500;
/** To be let in takes longer on a slow line. */
const mostJoining = 20;

/** The longest pause before the first try, doubled from try to try, and the longest of all. */
const firstPause = 250;
const longestPause = 4_000;
const triesToLongest = Math.log2(longestPause / firstPause);
/** Pauses begin anew after a link that held so long: a server that is overrun is not overrun again at once. */
const held = 10_000;

const opened = 1;
/** The server wants no more of us for now. */
const unwelcome = 1008;

/**
 * One socket after another to the same door. It is lost at once when nothing is heard, or nothing but what is old, whatever
 * the socket itself says: a browser holds back the close of a socket whose other side is frozen.
 */
export class ReconnectingSocket<R extends Protocol> {
  readonly #world: Environment;
  readonly #door: Door<R>;
  readonly #heard: Heard<R>;
  #state: LinkState = 'joining';
  #socket: Socket | undefined;
  #cancel: (() => void) | undefined;
  #silent = 0;
  #late = 0;
  #tries = 0;
  #since = 0;

  constructor(world: Environment, door: Door<R>, heard: Heard<R>) {
    this.#world = world;
    this.#door = door;
    this.#heard = heard;
  }

  /** Opens the link and keeps it open. Where it waits to try again or to be let in, it begins anew at once. */
  open(): void {
    if (this.#state !== 'joining' && this.#state !== 'lost') return;
    this.#drop();
    const socket = this.#world.socket(this.#door.address());
    this.#socket = socket;
    const ifCurrent =
      <Event>(act: (event: Event) => void) =>
      (event: Event): void => {
        if (this.#socket === socket) act(event);
      };
    socket.addEventListener(
      'open',
      ifCurrent<void>(() => {
        for (const ask of this.#door.firstWords()) socket.send(JSON.stringify(ask));
      }),
    );
    socket.addEventListener(
      'message',
      ifCurrent(({ data }) => this.#hear(JSON.parse(String(data)) as R['hears'])),
    );
    socket.addEventListener(
      'close',
      ifCurrent(({ code }) => this.#lose(code)),
    );
    // A close follows.
    socket.addEventListener('error', () => {});
    this.#silent = 0;
    this.#late = 0;
    this.#watch(mostJoining);
  }

  /** Whether it was sent; before the server has let us in nothing is. */
  say(ask: R['says']): boolean {
    if (this.#state !== 'open' || this.#socket?.readyState !== opened) return false;
    this.#socket.send(JSON.stringify(ask));
    return true;
  }

  /** What was last heard took so much longer than the quickest. */
  delayed(time: number): void {
    this.#late = time;
  }

  /** Ends it for good, since whoever speaks through it is not wanted any more. */
  retire(): void {
    this.#end('outdated');
  }

  /** Ends it for good. */
  close(): void {
    this.#end('closed');
  }

  #hear(tell: R['hears']): void {
    this.#silent = 0;
    if (tell.type === 'welcome') {
      this.#cancel?.();
      this.#watch(mostSilent);
      this.#since = this.#world.clock();
      this.#become('open');
    }
    if (tell.type === 'refused' && 'code' in tell && tell.code === 'wrong-protocol') this.#end('outdated');
    this.#heard.told(tell);
  }

  #watch(most: number): void {
    this.#cancel = this.#world.after(step, () => {
      this.#silent += 1;
      if (this.#silent >= most || this.#late > mostLate) this.#lose();
      else this.#watch(most);
    });
  }

  #lose(code?: number): void {
    this.#drop();
    if (this.#state === 'open' && this.#world.clock() - this.#since >= held) this.#tries = 0;
    if (code === unwelcome) this.#tries = triesToLongest;
    const pause = this.#world.chance() * Math.min(longestPause, firstPause * 2 ** this.#tries);
    this.#tries += 1;
    this.#cancel = this.#world.after(pause, () => this.open());
    this.#become('lost');
  }

  #end(state: 'outdated' | 'closed'): void {
    this.#drop();
    this.#become(state);
  }

  /** Whatever the socket still says is not heard. */
  #drop(): void {
    this.#cancel?.();
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket?.terminate) socket.terminate();
    else socket?.close();
  }

  #become(state: LinkState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#heard.changed(state);
  }
}
