import { type Table } from '../../table/state.ts';
import { type FloorStream } from '../floor/floorStream.ts';
import { type RuntimeDependencies } from '../ports/runtimeDependencies.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { attendedSteps } from './attendedSteps.ts';
import { autoDealer } from './autoDealer.ts';
import { type DueStep, paceWithRest } from './pacing.ts';
import { demoSettingsChange } from './settingsDiff.ts';
import { type TableConfig, type TableRuntime } from './tableRuntime.ts';

/**
 * Automation: issues due commands of a table. Unattended tables are dealt; at attended ones bets are closed and
 * settlements posted.
 */
export type TableAutomation = {
  /** Loads what it needs from the store; writes nothing. */
  readonly load: () => Promise<void>;
  /** Next step and its time; undefined if staff must act. */
  readonly next: (table: Table) => DueStep | undefined;
  /** Shuffles and commits a new shoe, at unattended tables. */
  readonly shuffle?: () => Promise<CommandResult>;
};

/** Attended or not by the event log, whatever the property file says. [READING 49] */
export function createAutomation(
  table: TableRuntime,
  config: TableConfig,
  dependencies: RuntimeDependencies,
  floorStream: Pick<FloorStream, 'retirementReason'>,
): TableAutomation {
  const settingsChange = demoSettingsChange(dependencies.isJoining === true ? undefined : config.settings);
  const paced = dependencies.cluster ? { ...config, pace: paceWithRest(config.pace) } : config;
  const unattended = autoDealer(table, paced, dependencies, floorStream, settingsChange);
  return {
    ...unattended,
    next: (state) =>
      state.settings.attended ? (attendedSteps.next(state) ?? settingsChange(state)) : unattended.next(state),
  };
}
