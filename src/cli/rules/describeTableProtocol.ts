import { pitRoles, supportRoles } from '../../access/roles.ts';
import { type ClauseTopic, rulebooks, clausesOfTopics } from '../../games/rulebooks.ts';
import { irregularityKinds } from '../../games/irregularities.ts';
import { accountKinds } from '../../ledger/accounts.ts';
import { type ApprovalRuleName, approvalRules } from '../../access/approvalRules.ts';
import { type JsonSchemaDefinitions, type Shape, type Schema, isOptional } from '../../base/schema.ts';
import { commandSchemas, tableCommands } from '../../table/schema/commands.ts';
import { eventSchemas, tableEvents } from '../../table/schema/events.ts';
import { refusalSchemas, passedOnRefusals, tableRefusals } from '../../table/schema/refusals.ts';
import { settingsInputSchema, settingsShape, settingsSchema } from '../../table/schema/settings.ts';
import { formatColumns } from '../support/print.ts';

type Declaration = {
  readonly description: string;
  readonly fields: Shape;
  readonly approvalRule?: ApprovalRuleName;
  readonly also?: readonly string[];
  readonly by?: readonly ClauseTopic[];
};

const describeFields = (shape: Shape): { readonly [field: string]: string } =>
  Object.fromEntries(
    Object.entries(shape).map(([field, kind]) => [
      field,
      `${kind.expected}${isOptional(kind) ? '; may be left out' : ''}`,
    ]),
  );

const describeAll = (declared: { readonly [name: string]: Declaration }) =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { description, fields, approvalRule, also, by }]) => [
      name,
      {
        description,
        ...(approvalRule && { approvalRule }),
        ...(also && { also }),
        ...(by && { by: clausesOfTopics(by) }),
        fields: describeFields(fields),
      },
    ]),
  );

/** JSON Schemas by name: settings, commands, events, refusals and their parts. */
function jsonSchemas(): JsonSchemaDefinitions {
  const definitions: JsonSchemaDefinitions = {};
  for (const kind of [settingsInputSchema, settingsSchema]) kind.toJsonSchema(definitions);
  for (const [name, kind] of Object.entries<Schema>({ ...commandSchemas, ...eventSchemas, ...refusalSchemas })) {
    definitions[name] = kind.toJsonSchema(definitions);
  }
  return definitions;
}

const refusals: { readonly [code: string]: Declaration } = Object.fromEntries(
  Object.entries<Declaration>({ ...tableRefusals, ...passedOnRefusals }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
);

/** By kind of actor: an example of the field `actor`, and what it means. */
const actorKinds = {
  person: '{"person":"s1","role":"supervisor"}: a staff member in a role',
  'acting role':
    '{"person":"d3","role":"dealer","acting":"supervisor","until":1700100000000}: a staff member with a higher acting role until that time; both fields or none',
  terminal: '{"terminal":"T7"}: a patron at a terminal',
  system: '{"system":"floor"}: the server, only at a table without staff',
  service: '{"system":"floor"}: the server, at every table, with or without staff',
};

/** Gives the table protocol as JSON. It is made from the declarations that the parser uses, so both are the same. */
export const describeTableProtocol = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: jsonSchemas(),
  settings: describeFields(settingsShape),
  commands: describeAll(tableCommands),
  events: describeAll(tableEvents),
  refusals: describeAll(refusals),
  actor: actorKinds,
  roles: { pit: pitRoles, support: supportRoles },
  approvalRules,
  accounts: accountKinds,
  irregularities: Object.fromEntries(rulebooks.map(({ id, irregularities }) => [id, irregularities])),
});

const actorsText = (approvalRule: ApprovalRuleName | undefined, also: readonly string[] = []): string => {
  const roles =
    approvalRule === undefined ? [] : Object.values(approvalRules[approvalRule]).map((role) => role as string);
  return [roles.join(' and '), ...also].filter((one) => one !== '').join(', or ');
};

const fieldRows = (fields: Shape): readonly string[][] =>
  Object.entries(describeFields(fields)).map(([field, text]) => [`    ${field}`, text]);

const section = (title: string, declared: { readonly [name: string]: Declaration }): readonly string[] => [
  title,
  '',
  ...Object.entries(declared).flatMap(([name, { description, fields, approvalRule, also, by }]) => [
    `  ${name}${approvalRule === undefined && also === undefined ? '' : `  (${actorsText(approvalRule, also)})`}`,
    `    ${description}`,
    ...(by ? [`    by ${clausesOfTopics(by).join(', ')}`] : []),
    ...formatColumns(['', ''], fieldRows(fields)).slice(1),
    '',
  ]),
];

export function tableProtocolLines(): readonly string[] {
  return [
    'SETTINGS',
    '',
    ...formatColumns(
      ['', ''],
      Object.entries(describeFields(settingsShape)).map(([field, text]) => [`  ${field}`, text]),
    ).slice(1),
    '',
    ...section('COMMANDS, each with type, at and actor', tableCommands),
    ...section('EVENTS, each with type, v, at, actor and, if a second person approved, second', tableEvents),
    ...section('REFUSALS, each with code, message and by', refusals),
    'ACTORS, as the commands above name them',
    '',
    ...formatColumns(
      ['', ''],
      Object.entries(actorKinds).map(([name, text]) => [`  ${name}`, text]),
    ).slice(1),
    '',
    'ROLES, from low to high; an approval rule accepts its role, an acting role, or a higher role',
    '',
    `  ${pitRoles.join(', ')}`,
    `  support roles, away from the game: ${supportRoles.join(', ')}`,
    '',
    'APPROVAL RULES',
    '',
    ...formatColumns(
      ['  rule', 'first', 'second'],
      Object.entries(approvalRules).map(([name, rule]) => [
        `  ${name}`,
        rule.first,
        'second' in rule ? rule.second : '-',
      ]),
    ),
    '',
    'ACCOUNTS',
    '',
    ...formatColumns(
      ['', ''],
      Object.entries(accountKinds).map(([kind, text]) => [`  ${kind}`, text]),
    ).slice(1),
    '',
    'IRREGULARITIES',
    '',
    ...formatColumns(
      ['  kind', 'book', 'raised by', 'ruling', 'clause', 'round', 'money', 'shoe', 'until settled'],
      irregularityKinds.flatMap((kind) =>
        rulebooks.flatMap(({ id, irregularities }) =>
          Object.entries(irregularities[kind].rulings).map(([ruling, effect]) => [
            `  ${kind}`,
            id,
            irregularities[kind].by,
            ruling,
            effect.by,
            effect.round,
            effect.money,
            effect.shoe,
            actorsText(effect.approvalRule),
          ]),
        ),
      ),
    ),
  ];
}
