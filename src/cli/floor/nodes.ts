import { recentMs } from '../../cluster/leases.ts';
import { Membership, type NodeStage } from '../../store/postgres/membership.ts';
import { type CliCommand, optionText } from '../support/command.ts';
import { toDatabaseError } from '../support/openStore.ts';
import { columns, print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const nodes: CliCommand = {
  help: `Usage: punto nodes --store ADDRESS

  --store ADDRESS  the PostgreSQL database of a property, such as postgres://user@host:5432/punto

Shows every program that is there: where browsers and where the others reach it, since when it is there, when it was last heard
of, which tables it drives, and which of them keeps the floor, that is, signs how far the record has got. One that was killed
is shown for a day, as one that is not heard of any more.`,
  options: { store: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output }) => {
    const address = optionText(values, 'store');
    if (address === undefined) {
      throw new CliError(
        2,
        'missing-argument',
        'Name the database, as in `punto nodes --store postgres://user@host/punto`.',
      );
    }
    try {
      const nodeRows = await Membership.listNodes(address);
      if (nodeRows.length === 0) print(output, 'No node is running.');
      else {
        const rows = nodeRows.map(({ id, address: browserUrl, link: nodeUrl, since, silent, stage, holds }) => [
          id,
          browserUrl === '' ? '-' : browserUrl,
          nodeUrl === '' ? '-' : nodeUrl,
          new Date(since).toISOString(),
          `${(silent / 1_000).toFixed(1)} s ago`,
          silent > recentMs && holds.length === 0 ? 'is not heard of any more' : activityOf(stage, holds),
        ]);
        print(output, ...columns(['node', 'at', 'others at', 'there since', 'last heard', ''], rows));
      }
      return 0;
    } catch (error) {
      throw toDatabaseError(address, error);
    }
  },
};

/** The table id is the last part of the stream name. */
const tableIdOf = (stream: string): string => stream.slice(stream.lastIndexOf('/') + 1);

function activityOf(stage: NodeStage, holds: readonly string[]): string {
  const tables = holds.filter((name) => name !== 'floor').map(tableIdOf);
  const activities = [
    ...(tables.length > 0 ? [`drives ${tables.join(', ')}`] : []),
    ...(holds.includes('floor') ? ['keeps the floor'] : []),
  ];
  const stageTexts: { readonly [stage in NodeStage]: string } = {
    coming: 'waits',
    joining: 'joins',
    open: 'drives nothing',
    leaving: 'leaves',
  };
  const showsStage = stage !== 'open' || activities.length === 0;
  return [...(showsStage ? [stageTexts[stage]] : []), ...activities].join('; ');
}
