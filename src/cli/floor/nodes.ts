import { maxLiveNodeSilenceMs } from '../../cluster/nodeLeases.ts';
import { ClusterMembership, type NodeStage } from '../../store/postgres/clusterMembership.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import { databaseErrorToCliError } from '../support/openStore.ts';
import { formatColumns, print } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const nodesCommand: CliCommand = {
  help: `Usage: punto nodes --store ADDRESS

  --store ADDRESS  the PostgreSQL database of a property, such as postgres://user@host:5432/punto

Lists every node: its addresses for browsers and for other nodes, its start, its last heartbeat, the tables that it leads,
and which node signs the checkpoints. A node that was killed stays in the list for a day and is marked "no heartbeat".`,
  options: { store: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output }) => {
    const address = optionText(values, 'store');
    if (address === undefined) {
      throw new CliError(
        2,
        'missing-argument',
        'Give the database, as in `punto nodes --store postgres://user@host/punto`.',
      );
    }
    try {
      const nodeRows = await ClusterMembership.listNodes(address);
      if (nodeRows.length === 0) print(output, 'No node is running.');
      else {
        const rows = nodeRows.map(({ id, browserUrl, nodeUrl, since, silent, stage, holds }) => [
          id,
          browserUrl === '' ? '-' : browserUrl,
          nodeUrl === '' ? '-' : nodeUrl,
          new Date(since).toISOString(),
          `${(silent / 1_000).toFixed(1)} s ago`,
          silent > maxLiveNodeSilenceMs && holds.length === 0 ? 'no heartbeat' : activityOf(stage, holds),
        ]);
        print(output, ...formatColumns(['node', 'at', 'others at', 'since', 'last heartbeat', ''], rows));
      }
      return 0;
    } catch (error) {
      throw databaseErrorToCliError(address, error);
    }
  },
};

const tableIdOf = (stream: string): string => stream.slice(stream.lastIndexOf('/') + 1);

function activityOf(stage: NodeStage, holds: readonly string[]): string {
  const tables = holds.filter((name) => name !== 'floor').map(tableIdOf);
  const activities = [
    ...(tables.length > 0 ? [`leads ${tables.join(', ')}`] : []),
    ...(holds.includes('floor') ? ['signs checkpoints'] : []),
  ];
  const stageTexts: { readonly [stage in NodeStage]: string } = {
    coming: 'waits',
    joining: 'joins',
    open: 'leads no table',
    leaving: 'leaves',
  };
  const showsStage = stage !== 'open' || activities.length === 0;
  return [...(showsStage ? [stageTexts[stage]] : []), ...activities].join('; ');
}
