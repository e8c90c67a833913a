import { type Change, changed } from '../wire/changes.ts';
import { type StaffAct } from '../wire/staff/acts.ts';
import { type StaffHears, type StaffHearsOf, type StaffSays, type StaffSession } from '../wire/staff/messages.ts';
import { type DealerView, type FloorView, type SupervisorView } from '../wire/staff/views.ts';
import { type Answer, Answers } from './answers.ts';
import { Link, type LinkState } from './link.ts';
import { type Asked } from './role.ts';
import { Versions } from './versions.ts';
import { type World } from './world.ts';

/** The words of staff. */
export type StaffRole = { readonly says: StaffSays; readonly hears: StaffHears };

/** The version of staff messages that is spoken here; types alone are taken from the declarations. */
const protocol = 1;

/** What staff see, as the server told it. */
export type StaffSeen = {
  readonly link: LinkState;
  /** How far the server's clock is ahead of ours, in milliseconds. */
  readonly ahead: number;
  readonly welcome: StaffHearsOf<'welcome'> | null;
  readonly session: StaffSession | null;
  /** The table that is watched, and as whom. */
  readonly table: { readonly table: string; readonly as: 'dealer' | 'supervisor' } | null;
  readonly dealer: DealerView | null;
  readonly supervisor: SupervisorView | null;
  readonly floor: FloorView | null;
};

type Watcher = (seen: StaffSeen, tell: StaffHears | undefined) => void;

/** A person's end of the wire: comes back by itself, looks again at what it looked at, and asks again what was not answered. */
export class Staff {
  #seen: StaffSeen = {
    link: 'joining',
    ahead: 0,
    welcome: null,
    session: null,
    table: null,
    dealer: null,
    supervisor: null,
    floor: null,
  };
  readonly #world: World;
  readonly #link: Link<StaffRole>;
  readonly #answers = new Answers<StaffRole>();
  readonly #watchers = new Set<Watcher>();
  readonly #tableVersions = new Versions();
  #looksAround = false;

  constructor(world: World, address: () => string) {
    this.#world = world;
    const firstWords = (): readonly [Extract<StaffSays, { type: 'hello' }>, ...StaffSays[]] => {
      const { table } = this.#seen;
      return [
        { type: 'hello', v: protocol },
        ...(table ? [{ type: 'watch' as const, ...table }] : []),
        ...(this.#looksAround ? [{ type: 'floor' as const, wanted: true }] : []),
      ];
    };
    const told = (tell: StaffHears): void => this.#hear(tell);
    const linked = (link: LinkState): void => this.#see({ link });
    this.#link = new Link<StaffRole>(world, { address, firstWords }, { told, changed: linked });
  }

  get seen(): StaffSeen {
    return this.#seen;
  }

  /** Gives what ends it. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  open(): void {
    this.#link.open();
  }

  close(): void {
    this.#link.close();
    for (const { id } of this.#answers.waiting) this.#answers.giveUp(id);
  }

  /** Looks at a table, now and whenever the link comes back. */
  lookAt(table: string, as: 'dealer' | 'supervisor'): void {
    this.#tableVersions.forget();
    this.#see({ table: { table, as }, dealer: null, supervisor: null });
    this.#link.say({ type: 'watch', table, as });
  }

  leave(): void {
    this.#tableVersions.forget();
    this.#see({ table: null, dealer: null, supervisor: null });
    this.#link.say({ type: 'leave' });
  }

  /** Whether to be told of the whole floor. */
  lookAround(wanted: boolean): void {
    this.#looksAround = wanted;
    this.#link.say({ type: 'floor', wanted });
  }

  command(table: string, asked: StaffAct, id = this.#world.id()): Promise<Answer<StaffRole>> {
    return this.#ask({ type: 'command', id, table, asked });
  }

  /** The consent of another person at this console, for one proposal. */
  consent(
    table: string,
    { id: proposal, hash }: { readonly id: string; readonly hash: string },
    { number, pin }: { readonly number: string; readonly pin: string },
    id = this.#world.id(),
  ): Promise<Answer<StaffRole>> {
    return this.#ask({ type: 'consent', id, table, proposal, hash, number, pin });
  }

  people(asked: { readonly [field: string]: unknown }, id = this.#world.id()): Promise<Answer<StaffRole>> {
    return this.#ask({ type: 'people', id, asked });
  }

  ask(
    what: string,
    given: { readonly [field: string]: unknown } = {},
    id = this.#world.id(),
  ): Promise<Answer<StaffRole>> {
    return this.#ask({ type: 'ask', id, what, with: given });
  }

  #ask(ask: Asked<StaffRole>): Promise<Answer<StaffRole>> {
    const answer = this.#answers.to(ask);
    this.#link.say(ask);
    return answer;
  }

  #hear(tell: StaffHears): void {
    switch (tell.type) {
      case 'welcome':
        this.#tableVersions.forget();
        for (const ask of this.#answers.waiting) this.#link.say(ask);
        this.#see({ ahead: tell.at - this.#world.clock(), welcome: tell, session: tell.session }, tell);
        return;
      case 'beat':
        this.#see({ ahead: tell.at - this.#world.clock() }, tell);
        return;
      case 'dealer':
        this.#tableVersions.begin(tell.version);
        this.#see({ dealer: tell.view }, tell);
        return;
      case 'supervisor':
        this.#tableVersions.begin(tell.version);
        this.#see({ supervisor: tell.view }, tell);
        return;
      case 'change': {
        if (!this.#tableVersions.takes(tell.version, () => this.#link.say({ type: 'whole', of: 'table' }))) return;
        const { dealer, supervisor } = this.#seen;
        this.#see(
          {
            dealer: dealer && changed(dealer, tell.change as Change),
            supervisor: supervisor && changed(supervisor, tell.change as Change),
          },
          tell,
        );
        return;
      }
      case 'floor':
        this.#see({ floor: tell.view }, tell);
        return;
      case 'ended':
      case 'scanned':
        this.#see({}, tell);
        return;
      case 'done':
      case 'answer':
      case 'refused':
        this.#see({}, tell);
        this.#answers.hear(tell);
    }
  }

  #see(news: Partial<StaffSeen>, tell?: StaffHears): void {
    this.#seen = { ...this.#seen, ...news };
    for (const watcher of this.#watchers) watcher(this.#seen, tell);
  }
}
