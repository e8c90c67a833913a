import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { authoritiesOf } from '../../../staff/roleGrants.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type Role, pitRoles, supportRoles } from '../../../access/roles.ts';
import { type Store } from '../../../store/store.ts';
import { staffAct } from '../../../wire/staff/commands.ts';
import { type PreviewRequest, type CommandPreview, previewCommand } from '../../../table/views/commandPreview.ts';
import { type TablePublisher } from '../../tables/tablePublisher.ts';
import { type QueryHandlers } from './handlers.ts';
import { type StaffCommands } from '../commands/tableCommands.ts';
import { otherConsole, unknownTable } from '../../shared/staffRefusals.ts';
import { mayReach, seesAll } from '../commands/viewPermissions.ts';
import { postingsFor } from './postingsPreview.ts';
import { roundBehind, slipsBehind } from '../commands/earlierSlips.ts';

const line: readonly Role[] = pitRoles;
const floorPosts: readonly Role[] = ['supervisor', 'pit-manager', 'gaming-shift-manager'];
const readers: readonly Role[] = ['auditor', 'surveillance'];
const everybody: readonly Role[] = [...pitRoles, ...supportRoles];

type Parts = {
  readonly store: Store;
  readonly commands: StaffCommands;
  readonly feed: (table: string) => TablePublisher | undefined;
};

/** The first that staff can look up: who is signed in, who works here, which tables there are, and what an act would do. */
export function lookups({ store, commands, feed }: Parts, floor: FloorRuntime): QueryHandlers {
  const { people } = floor;
  return {
    /** Who is signed in where. */
    sessions: {
      posts: ['pit-manager', 'gaming-shift-manager', 'administrator', ...readers],
      answer: () => ({ sessions: people.sessions() }),
    },
    /** Who works here, what they hold and act in, and the consoles. No secret and no name is part of it. */
    people: {
      posts: ['pit-manager', 'gaming-shift-manager', 'administrator', ...readers],
      answer: (_given, _session, at) => {
        const { state } = people;
        if (state === undefined) return { people: [], acting: [], consoles: [], locked: [] };
        return {
          people: Object.values(state.members).map(({ person, number, posts, ended, since, secrets, named }) => ({
            person,
            number,
            posts,
            ended,
            since,
            named,
            pin: secrets.pin !== null,
            password: secrets.password !== null,
            may: authoritiesOf(state, person, at),
          })),
          acting: Object.values(state.acting),
          consoles: Object.values(state.consoles),
          locked: Object.entries(state.tries).flatMap(([number, { until }]) =>
            until !== null && until > at ? [{ number, until }] : [],
          ),
        };
      },
    },
    /** What people are called; it lies beside the record, and is told to nobody else. */
    names: {
      posts: ['administrator'],
      answer: () => ({
        names: Object.fromEntries(
          Object.keys(people.state?.members ?? {}).flatMap((person) => {
            const name = people.names.of(person);
            return name === undefined ? [] : [[person, name]];
          }),
        ),
      }),
    },
    /** The tables of the floor: whether each is open, who it belongs to, and how often people were refused there. */
    tables: {
      posts: everybody,
      answer: () => ({
        tables: [...floor.tables.values()].map(({ id, isOpen }) => ({
          table: id,
          open: isOpen,
          refused: Object.fromEntries(commands.refusals.get(id) ?? []),
        })),
      }),
    },
    /** What an act would do and for whom, before it is asked. */
    preview: {
      posts: [...line, ...readers],
      answer: async ({ table: name, asked }, session, at) => {
        const shown = feed(String(name));
        if (shown === undefined) return unknownTable(String(name));
        if (!mayReach(session, shown.id, at)) return otherConsole(shown.id);
        if (!staffAct.fits(asked)) return badAct;
        const brought = people.broughtFor(session, at);
        if (isRefused(brought)) return brought;
        const { table } = shown;
        const who = { person: session.person, ...brought.post };
        const round = roundBehind({ ...asked, who }, table);
        const slips = round && (await slipsBehind(store, floor.tables.get(shown.id)!.stream, round));
        const shownTo = { who, ...(slips && { slips }) };
        const preview = previewCommand(asked as PreviewRequest, table, shownTo);
        if (isRefused(preview)) return preview;
        if (seesAll(session, at)) {
          const sessions = paidIn(preview, (one) => floor.terminals.creditIn(one));
          const credits = Object.fromEntries(Object.entries(sessions).map(([one, { credit }]) => [one, credit]));
          // With what each session still has it is known what would be short.
          const short = previewCommand(asked as PreviewRequest, table, { ...shownTo, credits });
          const postings = postingsFor(isRefused(short) ? preview : short, table, who, slips);
          return { ...preview, sessions, ...postings };
        }
        return { effects: preview.effects.map(forDealer), second: preview.second, rulings: null };
      },
    },
    /** The setting of a table: the one in use, the one of the property's file, and the hash by which a table is opened. */
    setting: {
      posts: [...floorPosts, ...readers],
      answer: ({ table: name }, _session, at) => {
        const wanted = commands.wanted(String(name), at);
        if (isRefused(wanted)) return wanted;
        return { setting: feed(String(name))?.table.setting ?? null, wanted: wanted.setting, hash: wanted.hash };
      },
    },
  };
}

type Credit = ReturnType<FloorRuntime['terminals']['creditIn']>;

/** What those whom the round has paid still have: what is not covered by it would be short. [READING 60] */
const paidIn = (
  { rulings }: CommandPreview,
  creditIn: (session: string) => Credit,
): { readonly [session: string]: Credit } =>
  Object.fromEntries(
    (rulings?.rows ?? []).filter(({ paid }) => paid !== null).map(({ terminal }) => [terminal, creditIn(terminal)]),
  );

/** What a dealer is shown of an event: nothing about any patron. */
const dealerFields: ReadonlySet<string> = new Set([
  'type',
  'by',
  'round',
  'shoe',
  'slot',
  'card',
  'cards',
  'before',
  'after',
  'place',
  'reason',
  'ruling',
  'behind',
]);
const forDealer = (effect: object) =>
  Object.fromEntries(Object.entries(effect).filter(([field]) => dealerFields.has(field)));

const badAct = refuse<'bad-request'>('bad-request', 'What is to be shown is no command of a table; give one.');
