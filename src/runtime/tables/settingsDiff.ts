import { isRefused } from '../../base/refusal.ts';
import { hashOf } from '../../base/canonicalJson.ts';
import { type TableSettings, isDemo, parseSettings } from '../../table/schema/settings.ts';
import { isFixedForTable, isFixedDuringShoe } from '../../table/decide/settings.ts';
import { type Table } from '../../table/state.ts';
import { type DueStep } from './pacing.ts';
import { floorActor } from '../../access/actor.ts';

/**
 * Fields in which the wanted settings differ from the settings in use; an empty list if the wanted settings are
 * invalid.
 */
export function changedSettingsFields(
  wanted: { readonly [field: string]: unknown },
  table: Table,
): readonly (keyof TableSettings)[] {
  const setting = parseSettings(wanted, table.at);
  if (isRefused(setting)) return [];
  const fields = Object.keys(setting) as (keyof TableSettings)[];
  return fields.filter((field) => hashOf(setting[field]) !== hashOf(table.settings[field]));
}

/** True if the wanted settings differ from the settings in use and can replace them now. [READING 49] */
export function mayReplaceSettings(wanted: { readonly [field: string]: unknown }, table: Table): boolean {
  const { phase, pendingSettlements: settlements, shoe, openIrregularities: irregularities, referrals, closed } = table;
  if (phase !== 'idle' || settlements.length > 0 || irregularities.length > 0 || referrals.length > 0 || closed)
    return false;
  const fields = changedSettingsFields(wanted, table);
  return fields.length > 0 && !fields.some(isFixedForTable) && (shoe === null || !fields.some(isFixedDuringShoe));
}

/**
 * Automatic change of settings in a demo. Once after each start, between two rounds, the settings of the property file
 * replace the settings in use. Outside a demo two staff members must make each change. At a joining node `wanted` is
 * undefined, so nothing changes. [READING 49]
 */
export function createDemoSettingsStep(
  wanted: { readonly [field: string]: unknown } | undefined,
): (table: Table) => DueStep | undefined {
  if (wanted === undefined) return () => undefined;
  let isDone = false;
  /**
   * Settings and shoe at the last comparison that allowed no change. While both stay the same, nothing is compared
   * again.
   */
  let compared: { readonly settings: TableSettings; readonly shoe: string | undefined } | undefined;
  return (table) => {
    const { settings, shoe, at, phase } = table;
    if (isDone || !isDemo(settings) || (compared?.settings === settings && compared.shoe === shoe?.id))
      return undefined;
    const rememberCompared = (): void => void (compared = { settings, shoe: shoe?.id });
    if (mayReplaceSettings(wanted, table)) {
      return {
        at,
        request: { type: 'ChangeSettings', actor: floorActor, settings: wanted },
        onRefused: rememberCompared,
      };
    }
    isDone = changedSettingsFields(wanted, table).length === 0;
    if (phase === 'idle') rememberCompared();
    return undefined;
  };
}
