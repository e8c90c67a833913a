import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { authoritiesOf } from '../../../staff/roleGrants.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type Role, pitRoles, supportRoles } from '../../../access/roles.ts';
import { type Store } from '../../../store/store.ts';
import { staffCommandSchema } from '../../../wire/staff/commands.ts';
import { type PreviewRequest, type CommandPreview, previewCommand } from '../../../table/views/commandPreview.ts';
import { type TablePublisher } from '../../tables/tablePublisher.ts';
import { type QueryHandlers } from './handlers.ts';
import { type StaffCommands } from '../commands/tableCommands.ts';
import { mayActAt, maySeeAll } from '../commands/viewPermissions.ts';
import { postingsPreview } from './postingsPreview.ts';
import { earlierRoundOf, readEarlierSlips } from '../commands/earlierSlips.ts';
import { otherConsole, unknownTable } from '../../shared/refusals.ts';

const supervisingRoles: readonly Role[] = ['supervisor', 'pit-manager', 'gaming-shift-manager'];
const readOnlyRoles: readonly Role[] = ['auditor', 'surveillance'];
const allRoles: readonly Role[] = [...pitRoles, ...supportRoles];

type FloorQueriesDependencies = {
  readonly store: Store;
  readonly commands: StaffCommands;
  readonly publisherOf: (table: string) => TablePublisher | undefined;
};

/** Queries about sign-in sessions, staff, tables, settings, and previews of commands. */
export function floorQueries(
  { store, commands, publisherOf }: FloorQueriesDependencies,
  floor: FloorRuntime,
): QueryHandlers {
  const { staff } = floor;
  return {
    sessions: {
      roles: ['pit-manager', 'gaming-shift-manager', 'administrator', ...readOnlyRoles],
      answer: () => ({ sessions: staff.sessions() }),
    },
    /** Staff, roles, acting roles and consoles. Contains no secret and no name. */
    staff: {
      roles: ['pit-manager', 'gaming-shift-manager', 'administrator', ...readOnlyRoles],
      answer: (_given, _session, at) => {
        const { state } = staff;
        if (state === undefined) return { staff: [], acting: [], consoles: [], locked: [] };
        return {
          staff: Object.values(state.members).map(({ person, number, roles, ended, since, secrets, named }) => ({
            person,
            number,
            roles,
            ended,
            since,
            named,
            pin: secrets.pin !== null,
            password: secrets.password !== null,
            may: authoritiesOf(state, person, at),
          })),
          acting: Object.values(state.acting),
          consoles: Object.values(state.consoles),
          locked: Object.entries(state.failedSignIns).flatMap(([number, { until }]) =>
            until !== null && until > at ? [{ number, until }] : [],
          ),
        };
      },
    },
    /** Names of staff are in the key-value table, and only the administrator sees them. */
    names: {
      roles: ['administrator'],
      answer: () => ({
        names: Object.fromEntries(
          Object.keys(staff.state?.members ?? {}).flatMap((person) => {
            const name = staff.names.nameOf(person);
            return name === undefined ? [] : [[person, name]];
          }),
        ),
      }),
    },
    /** Tables with their refusal counts. */
    tables: {
      roles: allRoles,
      answer: () => ({
        tables: [...floor.tables.values()].map(({ id, isOpen }) => ({
          table: id,
          open: isOpen,
          refused: Object.fromEntries(commands.refusals.get(id) ?? []),
        })),
      }),
    },
    /** Effects of a command that is not sent yet. */
    preview: {
      roles: [...pitRoles, ...readOnlyRoles],
      answer: async ({ table: name, request }, session, at) => {
        const publisher = publisherOf(String(name));
        if (publisher === undefined) return unknownTable(String(name));
        if (!mayActAt(session, publisher.id, at)) return otherConsole(publisher.id);
        if (!staffCommandSchema.fits(request)) return notATableCommand;
        const context = staff.contextFor(session, at);
        if (isRefused(context)) return context;
        const { table } = publisher;
        const actor = { person: session.person, ...context.authority };
        const round = earlierRoundOf({ ...request, actor }, table);
        const slips = round && (await readEarlierSlips(store, floor.tables.get(publisher.id)!.stream, round));
        const viewer = { actor, ...(slips && { slips }) };
        const preview = previewCommand(request as PreviewRequest, table, viewer);
        if (isRefused(preview)) return preview;
        if (maySeeAll(session, at)) {
          const sessions = creditOfPaidSessions(preview, (one) => floor.terminals.sessionCredit(one));
          const credits = Object.fromEntries(Object.entries(sessions).map(([one, { credit }]) => [one, credit]));
          // With the credit of each session the shortfalls are known.
          const withShortfalls = previewCommand(request as PreviewRequest, table, { ...viewer, credits });
          const postings = postingsPreview(isRefused(withShortfalls) ? preview : withShortfalls, table, actor, slips);
          return { ...preview, sessions, ...postings };
        }
        return { effects: preview.effects.map(forDealer), second: preview.second, rulings: null };
      },
    },
    /** Settings in use, settings of the property file, and the hash for opening. */
    settings: {
      roles: [...supervisingRoles, ...readOnlyRoles],
      answer: ({ table: name }, _session, at) => {
        const opening = commands.openingSettings(String(name), at);
        if (isRefused(opening)) return opening;
        return {
          settings: publisherOf(String(name))?.table.settings ?? null,
          wanted: opening.settings,
          hash: opening.hash,
        };
      },
    },
  };
}

type Credit = ReturnType<FloorRuntime['terminals']['sessionCredit']>;

/** [READING 60] Credit of the sessions that the round paid; what it does not cover is a shortfall. */
const creditOfPaidSessions = (
  { rulings }: CommandPreview,
  creditIn: (session: string) => Credit,
): { readonly [session: string]: Credit } =>
  Object.fromEntries(
    (rulings?.rows ?? []).filter(({ paid }) => paid !== null).map(({ terminal }) => [terminal, creditIn(terminal)]),
  );

/** Event fields for dealers: nothing about patrons. */
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

const notATableCommand = refuse<'bad-request'>('bad-request', 'A preview needs a command of a table; give one.');
