import { randomUUID } from 'node:crypto';
import { type CommandResult, type Brought } from '../../../runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { type Consent } from '../../../runtime/staff/consent.ts';
import { type TableRuntime, type TableSetting } from '../../../runtime/tables/tableRuntime.ts';
import { type SignInSession } from '../../../staff/state.ts';
import { hashOf } from '../../../base/canonicalJson.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type StoredRequest, type Store } from '../../../store/store.ts';
import { parseSettings } from '../../../table/schema/settings.ts';
import { takesSlips } from '../../../table/views/commandPreview.ts';
import { type StaffSaysOf } from '../../../wire/staff/messages.ts';
import { type Refused, otherConsole, unknownTable } from '../../shared/staffRefusals.ts';
import { mayReach } from './viewPermissions.ts';
import { roundBehind, slipsBehind } from './earlierSlips.ts';

type Parts = {
  readonly store: Store;
  /** The settings of the property's file, by table. */
  readonly settings: ReadonlyMap<string, TableSetting>;
};

type Answer = CommandResult | Refused;

/** What staff ask of tables. Who asks follows from the session, and in which post from the register of people. */
export class StaffCommands {
  readonly #parts: Parts;
  readonly #floor: FloorRuntime;
  /** How often people were refused at a table, by code: the table records no refusal. */
  readonly refusals = new Map<string, Map<string, number>>();

  constructor(parts: Parts, floor: FloorRuntime) {
    this.#parts = parts;
    this.#floor = floor;
  }

  /** A command of the table as it is declared there. */
  async command(session: SignInSession, said: StaffSaysOf<'command'>, at: number): Promise<Answer> {
    const { id, table: name, asked } = said;
    return this.#at(name, (table) =>
      this.#submit(table, { id, at, by: session }, { ...asked, who: { person: session.person } }),
    );
  }

  /** The second consent of another person, at the console of the first. */
  async consent(session: SignInSession, said: StaffSaysOf<'consent'>, at: number): Promise<Answer> {
    const { id, table: name, proposal, hash, number, pin } = said;
    return this.#at(name, async (table) => {
      const { people } = this.#floor;
      // What was consented to is in the record, whatever becomes of a PIN that is given for it once more.
      const person = people.personOf(number);
      const asked = { type: 'Approve', who: { person }, proposal, hash };
      const known = person === undefined ? undefined : await table.known(`${id}/${person}`, asked);
      if (known) return known;
      if (!mayReach(session, name, at)) return otherConsole(name);
      const consent = await people.consent({ number, pin, table: name, proposal, hash, console: session.console });
      if (isRefused(consent)) return consent;
      return this.#submit(table, { id, at, by: consent }, asked);
    });
  }

  /** A table opens by two persons, with the setting of the property's file. [HOUSE 2] */
  async open(session: SignInSession, said: StaffSaysOf<'open'>, at: number): Promise<Answer> {
    const { id, table: name, hash, number, pin } = said;
    return this.#at(name, async (table) => {
      const { people } = this.#floor;
      const wanted = this.wanted(name, at);
      if (isRefused(wanted)) return wanted;
      const person = people.personOf(number);
      const asked = { type: 'OpenTable', who: { person: session.person }, setting: wanted.setting, second: { person } };
      const known = person === undefined ? undefined : await table.known(`${id}/${session.person}`, asked);
      if (known) return known;
      if (!mayReach(session, name, at)) return otherConsole(name);
      if (wanted.hash !== hash) return changedSetting;
      const given = { number, pin, table: name, proposal: 'open', hash, console: session.console };
      const consent = await people.consent(given);
      if (isRefused(consent)) return consent;
      const second = people.broughtFor(consent, at);
      if (isRefused(second)) return second;
      return this.#submit(table, { id, at, by: session }, asked, secondOf(second));
    });
  }

  /** What somebody who leaves has proposed; with what is brought for them now, it is withdrawn once they have left. */
  leaving(session: SignInSession, at: number): () => Promise<void> {
    const brought = this.#floor.people.broughtFor(session, at);
    return async () => {
      if (isRefused(brought)) return;
      for (const table of this.#floor.tables.values()) {
        const proposal = table.isOpen ? table.table.proposal : null;
        if (proposal === null || !('person' in proposal.who) || proposal.who.person !== session.person) continue;
        const asked = { type: 'WithdrawProposal', who: { person: session.person }, proposal: proposal.id };
        await table.submit(randomUUID(), asked, at, brought);
      }
    };
  }

  /** What a table would be opened with, and the hash by which that is consented to. */
  wanted(name: string, at: number): { readonly setting: TableSetting; readonly hash: string } | Refused {
    const setting = this.#parts.settings.get(name);
    if (setting === undefined) return unknownTable(name);
    const whole = parseSettings(setting, at);
    return isRefused(whole) ? whole : { setting, hash: hashOf(whole) };
  }

  async #at(name: string, run: (table: TableRuntime) => Promise<Answer>): Promise<Answer> {
    const table = this.#floor.tables.get(name);
    if (table === undefined) return unknownTable(name);
    const answered = await run(table);
    if (isRefused(answered)) this.#count(name, answered.refused);
    return answered;
  }

  #count(table: string, code: string): void {
    const codes = this.refusals.get(table) ?? new Map<string, number>();
    this.refusals.set(table, codes.set(code, (codes.get(code) ?? 0) + 1));
  }

  async #submit(
    table: TableRuntime,
    { id, at, by }: Asking,
    asked: StoredRequest,
    more: Brought = {},
  ): Promise<Answer> {
    // Ids of different people never meet, so that nobody can use up another's.
    const own = `${id}/${by.person}`;
    // What is in the record was asked while it could be.
    const known = await table.known(own, asked);
    if (known) return known;
    if ('id' in by && !mayReach(by, table.id, at)) return otherConsole(table.id);
    const brought = this.#floor.people.broughtFor(by, at);
    if (isRefused(brought)) return brought;
    const slips = await this.#slipsFor(asked, table);
    return table.submit(own, asked, at, { ...brought, ...more, ...slips });
  }

  /** The slips of a round before the last, where the command is about one and takes them. */
  async #slipsFor(asked: StoredRequest, table: TableRuntime): Promise<Brought> {
    const round = table.isOpen && takesSlips(asked) ? roundBehind(asked, table.table) : undefined;
    return round === undefined ? {} : { slips: await slipsBehind(this.#parts.store, table.stream, round) };
  }
}

/** Who asks with which id, and when that came. */
type Asking = { readonly id: string; readonly at: number; readonly by: SignInSession | Consent };

/** What is brought of a second person who is named. */
export const secondOf = ({ post, held }: Brought): Brought => ({ secondPost: post, secondHeld: held });

const changedSetting = refuse<'changed-proposal'>(
  'changed-proposal',
  'The setting is not the one that was shown; look again and open it again.',
);
