import { type FloorRuntime } from '../../../runtime/floorRuntime.ts';
import { authoritiesOf } from '../../../staff/roleGrants.ts';
import { isRefused, refuse } from '../../../base/refusal.ts';
import { type Role, pitRoles, supportRoles } from '../../../access/roles.ts';
import { type Store } from '../../../store/store.ts';
import { staffTableCommandSchema } from '../../../wire/staff/staffTableCommands.ts';
import { type PreviewRequest, type CommandPreview, previewCommand } from '../../../table/views/commandPreview.ts';
import { settingsDifferences } from '../../../table/views/settingsDifferences.ts';
import { type PublicViewBuilder } from '../../tables/publicViewBuilder.ts';
import { type QueryHandlers } from './queryDispatcher.ts';
import { type TableCommandHandler } from '../commands/tableCommandHandler.ts';
import { mayActAtTable, maySeeWholeFloor } from '../commands/viewPermissions.ts';
import { previewPostings } from './postingsPreview.ts';
import { earlierRoundOfCommand, readEarlierSlips } from '../commands/earlierSlips.ts';
import { consoleNotAtTableRefusal, unknownTableRefusal } from '../../refusals/serverRefusals.ts';

const supervisingRoles: readonly Role[] = ['supervisor', 'pit-manager', 'gaming-shift-manager'];
const readOnlyRoles: readonly Role[] = ['auditor', 'surveillance'];
const allRoles: readonly Role[] = [...pitRoles, ...supportRoles];

type FloorQueriesDependencies = {
  readonly store: Store;
  readonly commands: TableCommandHandler;
  readonly builderOf: (table: string) => PublicViewBuilder | undefined;
};

export function createFloorQueries(
  { store, commands, builderOf }: FloorQueriesDependencies,
  floor: FloorRuntime,
): QueryHandlers {
  const { staff } = floor;
  return {
    sessions: {
      roles: ['pit-manager', 'gaming-shift-manager', 'administrator', ...readOnlyRoles],
      answer: () => ({ sessions: staff.sessions() }),
    },
    /** Staff numbers, roles, acting roles, consoles and blocked numbers; no secrets and no names. */
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
    /** All tables, with the number of refused staff commands by code. */
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
    /** Preview: gives the effects that a command would have now, and stores nothing. */
    preview: {
      roles: [...pitRoles, ...readOnlyRoles],
      answer: async ({ table: name, request }, session, at) => {
        const builder = builderOf(String(name));
        if (builder === undefined) return unknownTableRefusal(String(name));
        if (!mayActAtTable(session, builder.id, at)) return consoleNotAtTableRefusal(builder.id);
        if (!staffTableCommandSchema.fits(request)) return notATableCommand;
        const context = staff.contextFor(session, at);
        if (isRefused(context)) return context;
        const { table } = builder;
        const actor = { person: session.person, ...context.authority };
        const round = earlierRoundOfCommand({ ...request, actor }, table);
        const slips = round && (await readEarlierSlips(store, floor.tables.get(builder.id)!.stream, round));
        const viewer = { actor, ...(slips && { slips }) };
        const creditOf = (one: string): Credit => floor.terminals.sessionCredit(one);
        const preview = previewCommand(request as PreviewRequest, table, viewer, creditOf);
        if (isRefused(preview)) return preview;
        if (maySeeWholeFloor(session, at)) {
          const sessions = creditOfPaidSessions(preview, creditOf);
          const credits = Object.fromEntries(Object.entries(sessions).map(([one, { credit }]) => [one, credit]));
          // The credit of each session is needed to compute the shortfalls.
          const withShortfalls = previewCommand(request as PreviewRequest, table, { ...viewer, credits });
          const postings = previewPostings(isRefused(withShortfalls) ? preview : withShortfalls, table, actor, slips);
          return { ...preview, sessions, ...postings };
        }
        const { second, proposal } = preview;
        return {
          effects: preview.effects.map(forDealer),
          second,
          proposal: proposal && { ...proposal, money: null },
          rulings: null,
        };
      },
    },
    /**
     * Query for three things: the settings in use, the settings in the property file, and the hash of the settings in
     * the property file. A second person approves this hash when the table is opened.
     */
    settings: {
      roles: [...supervisingRoles, ...readOnlyRoles],
      answer: ({ table: name }, _session, at) => {
        const opening = commands.openingSettings(String(name), at);
        if (isRefused(opening)) return opening;
        return {
          settings: builderOf(String(name))?.table.settings ?? null,
          wanted: opening.settings,
          opening: settingsDifferences(null, opening.parsed),
          hash: opening.hash,
        };
      },
    },
  };
}

type Credit = ReturnType<FloorRuntime['terminals']['sessionCredit']>;

/**
 * Gives the credit of each credit session that was paid for the round. If a ruling takes back more than this credit,
 * the rest is a shortfall. [READING 60]
 */
const creditOfPaidSessions = (
  { rulings }: CommandPreview,
  creditIn: (session: string) => Credit,
): { readonly [session: string]: Credit } =>
  Object.fromEntries(
    (rulings?.rows ?? []).filter(({ paid }) => paid !== null).map(({ terminal }) => [terminal, creditIn(terminal)]),
  );

/** Fields of an event that a dealer may see in a preview. None of them is about a patron. */
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

const notATableCommand = refuse<'bad-request'>(
  'bad-request',
  'The field "request" is not a table command. Send a preview with a table command in "request".',
);
