import { type Table } from '../../table/state.ts';
import { type FloorStream } from '../floor/floorStream.ts';
import { type FloorDependencies } from '../ports/runtimeDependencies.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { attendedTableAutomation } from './attendedSteps.ts';
import { createAutoDealer } from './autoDealer.ts';
import { type DueStep, paceWithHandOverPause } from './pacing.ts';
import { createDemoSettingsStep } from './settingsDiff.ts';
import { type TableConfig, type TableRuntime } from './tableRuntime.ts';

/**
 * Automation of a table: decides which command is due next. At an unattended table the automation deals. At an attended
 * table it only closes bets, posts settlements and, in a demo, changes settings.
 */
export type TableAutomation = {
  readonly load: () => Promise<void>;
  /** The next step and the time when it is due; undefined if staff must act. */
  readonly next: (table: Table) => DueStep | undefined;
  /** Shuffles and commits a new shoe; only for unattended tables. */
  readonly shuffle?: () => Promise<CommandResult>;
};

/**
 * Makes the automation of a table. Whether the table is attended comes from the event log, not from the property file.
 * [READING 49]
 */
export function createTableAutomation(
  table: TableRuntime,
  config: TableConfig,
  dependencies: FloorDependencies,
  floorStream: Pick<FloorStream, 'retirementReason'>,
): TableAutomation {
  const settingsChange = createDemoSettingsStep(dependencies.isJoining === true ? undefined : config.settings);
  const paced = dependencies.cluster ? { ...config, pace: paceWithHandOverPause(config.pace) } : config;
  const unattended = createAutoDealer(table, paced, dependencies, floorStream, settingsChange);
  return {
    ...unattended,
    next: (state) =>
      state.settings.attended ? (attendedTableAutomation.next(state) ?? settingsChange(state)) : unattended.next(state),
  };
}
