import { formatMoney } from '../../../../base/formatMoney.ts';
import { type TableSettings } from '../../../../wire/staff/cageTypes.ts';
import { gameByVersionedId } from '../../../shared/text/oddsText.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import {
  type SettingsDraft,
  type SingleValueSettingField,
  isBetweenShoesSetting,
  singleValueSettingFields,
  settingInputText,
} from './settingsDraft.ts';
import { settingsStrings } from './strings.ts';

export const wagerIdsOfGame = (game: string): readonly string[] => Object.keys(gameByVersionedId(game)?.wagers ?? {});
const wagerNameIn = (game: string, wager: string): string =>
  wagerName(wager, gameByVersionedId(game)?.wagers[wager]?.name ?? wager);

export function settingDisplayText(setting: TableSettings, field: string): string {
  const t = settingsStrings();
  const [name, wager] = field.split('.');
  if (name === 'limits') {
    const [min, max] = setting.limits[wager!] ?? [0, 0];
    return `${formatMoney(min)} ${t.to} ${formatMoney(max)}`;
  }
  if (name === 'offered') {
    const all = wagerIdsOfGame(setting.game).length;
    return setting.offered.length === all ? t.all(all) : t.some(setting.offered.length, all);
  }
  const text = settingInputText(setting, field);
  if (field === 'burn') return t.burns[text] ?? text;
  if (field === 'totalMinimum') return formatMoney(setting.totalMinimum);
  if (field === 'grace') return `${text} ${t.ms}`;
  return ['bettingTime', 'pause', 'interruption'].includes(field) ? `${text} ${t.seconds}` : text;
}

export const settingLabel = (setting: TableSettings, field: string): string => {
  const [name, wager] = field.split('.');
  const { rows } = settingsStrings();
  if (wager === undefined) return rows[name as SingleValueSettingField | 'offered'] ?? field;
  const called = wagerNameIn(setting.game, wager);
  return name === 'offered' ? `${rows.offered}: ${called}` : called;
};

type Props = {
  readonly settings: TableSettings;
  /** Settings with the changes of the draft; null when the draft changes nothing or is not valid. */
  readonly after: TableSettings | null;
  readonly draft: SettingsDraft;
  readonly changed: readonly string[];
  readonly invalid: readonly string[];
  readonly set: (field: string, text: string) => void;
  /** True when the signed-in person may not propose settings, so that no field can be edited. */
  readonly isFixed: boolean;
};

export function SettingsRows(props: Props) {
  const t = settingsStrings();
  const { settings, changed } = props;
  const isChanged = (field: string): boolean => changed.some((one) => one === field || one.startsWith(`${field}.`));
  const row = (field: string) => (
    <tr key={field} class={isChanged(field) ? 'chg' : ''}>
      <td>
        <b>{settingLabel(settings, field)}</b>
      </td>
      <td>{isChanged(field) ? <s>{settingDisplayText(settings, field)}</s> : settingDisplayText(settings, field)}</td>
      <td>
        <NewValue field={field} {...props} />
      </td>
      <td class={isBetweenShoesSetting(field.split('.')[0]!) ? 'lockd' : 'q'}>
        {isBetweenShoesSetting(field.split('.')[0]!) ? t.shoes : t.round}
      </td>
    </tr>
  );
  const [first, rest] = [singleValueSettingFields.slice(0, 2), singleValueSettingFields.slice(2)];
  return (
    <table class="g setg">
      <thead>
        <tr>
          <th>{t.settings}</th>
          <th>{t.inUse}</th>
          <th>{t.new}</th>
          <th>{t.when}</th>
        </tr>
      </thead>
      <tbody>
        {first.map(row)}
        {row('offered')}
        {settings.offered.map((wager) => row(`limits.${wager}`))}
        {rest.map(row)}
      </tbody>
    </table>
  );
}

function NewValue({
  field,
  settings,
  after,
  draft,
  invalid,
  set,
  isFixed,
  changed,
}: Props & { readonly field: string }) {
  const t = settingsStrings();
  if (isFixed) {
    const isChanged = changed.some((one) => one === field || one.startsWith(`${field}.`));
    return after !== null && isChanged ? <b>{settingDisplayText(after, field)}</b> : <span class="q">{t.asIs}</span>;
  }
  const label = settingLabel(settings, field);
  const input = (name: string, called: string) => (
    <input
      class="in"
      type="text"
      inputMode="decimal"
      autocomplete="off"
      aria-label={called}
      aria-invalid={invalid.includes(name)}
      value={draft[name] ?? settingInputText(settings, name)}
      onInput={({ currentTarget }) => set(name, currentTarget.value)}
    />
  );
  const choice = (options: readonly (readonly [string, string])[]) => (
    <select
      class="in"
      aria-label={label}
      value={draft[field] ?? settingInputText(settings, field)}
      onChange={({ currentTarget }) => set(field, currentTarget.value)}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  if (field === 'game') return choice(settings.profile.approved.map((game) => [game, game]));
  if (field === 'burn') return choice(Object.entries(t.burns));
  if (field === 'roundsAfterCut') return choice(['0', '1'].map((count) => [count, count]));
  if (field === 'offered') return <OfferedWagers settings={settings} draft={draft} set={set} />;
  const [name, wager] = field.split('.');
  if (name !== 'limits') return input(field, label);
  const called = wagerNameIn(settings.game, wager!);
  return (
    <span class="row">
      {input(`${field}.0`, t.min(called))}
      {input(`${field}.1`, t.max(called))}
    </span>
  );
}

function OfferedWagers({ settings, draft, set }: Pick<Props, 'settings' | 'draft' | 'set'>) {
  const game = draft['game'] ?? settings.game;
  if (game !== settings.game) return <span class="q">{settingsStrings().all(wagerIdsOfGame(game).length)}</span>;
  return (
    <details class="offer">
      <summary>{settingsStrings().rows.offered}</summary>
      <fieldset class="checks" aria-label={settingsStrings().rows.offered}>
        {wagerIdsOfGame(game).map((wager) => {
          const field = `offered.${wager}`;
          return (
            <label key={wager}>
              <input
                type="checkbox"
                checked={(draft[field] ?? settingInputText(settings, field)) === 'yes'}
                onChange={({ currentTarget }) => set(field, currentTarget.checked ? 'yes' : '')}
              />
              {wagerNameIn(game, wager)}
            </label>
          );
        })}
      </fieldset>
    </details>
  );
}
