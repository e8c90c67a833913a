import { useState } from 'preact/hooks';
import { formatMoney, shortMoney } from '../../../../base/formatMoney.ts';
import { type TerminalList } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { moneyOf } from '../../kit/text/parseMoney.ts';
import { staff } from '../../app/connection.ts';
import { currency } from '../../app/state.ts';
import { useActs } from '../forms/useAction.tsx';
import { FactList, TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { DeskPanel, usePaying } from './cagePanel.tsx';
import { cageStrings } from './strings.ts';

const usual = [10_000, 20_000, 50_000, 100_000, 200_000];

/** Whether the patron's name is required for this amount, and from which amount on. */
export const nameText = (nameFrom: number | null, amount: number): string => {
  const t = cageStrings();
  if (nameFrom === null) return t.never;
  return amount >= nameFrom ? t.yes(formatMoney(nameFrom)) : t.from(formatMoney(nameFrom));
};

/** Buy-in: cash credited to a terminal. */
export function BuyIn({ nameFrom }: { readonly nameFrom: number | null }) {
  const t = cageStrings();
  const acts = useActs();
  const [terminal, setTerminal] = useState('');
  const [typed, type] = useState('');
  const [done, say] = useState<string | null>(null);
  const wanted = terminal.trim().toUpperCase();
  const found = useQuery<TerminalList>('terminals', { text: wanted === '' ? '?' : wanted }, 2_000, acts.turn);
  const row =
    found.state === 'there' ? found.data.terminals.find((one) => one.terminal.toUpperCase() === wanted) : undefined;
  const amount = moneyOf(typed.replaceAll(',', '')) ?? 0;
  const paying = usePaying(
    `load ${wanted} ${amount}`,
    acts.isDead || row === undefined || amount === 0,
    async () => {
      const asked = { type: 'LoadCredit', way: 'cash', amount };
      if (!(await acts.run(() => staff.terminal(row!.terminal, asked)))) return;
      say(t.loaded(formatMoney(amount), row!.terminal));
      type('');
    },
    () => say(null),
  );
  const more = (by: number): void => type(formatMoney(amount + by).replaceAll(',', ''));
  useFormKeys({
    B: paying.press,
    ...Object.fromEntries(usual.map((by, n) => [String(n + 1), () => more(by)])),
  });
  return (
    <DeskPanel
      title={t.buyIn}
      tag={t.cash}
      acts={acts}
      paying={paying}
      text={amount === 0 ? t.creditNone : t.credit(formatMoney(amount))}
      amount={formatMoney(amount)}
      keyName="B"
      typed
    >
      <TextField label={t.terminal} value={terminal} set={setTerminal} most={40} place="T7" />
      {wanted !== '' && found.state === 'there' && row === undefined && <p class="q">{t.noSuch}</p>}
      <TextField label={t.amount(currency.value)} value={typed} set={type} kind="money" big most={13} />
      <div class="chips">
        {usual.map((by, n) => (
          <button key={by} type="button" class="btn small" onClick={() => more(by)}>
            {shortMoney(by)} <Kbd>{n + 1}</Kbd>
          </button>
        ))}
      </div>
      <FactList
        all={[
          [t.before, row ? formatMoney(row.credit) : '–'],
          [t.after, row ? formatMoney(row.credit + amount) : '–'],
          [t.nameFrom, nameText(nameFrom, amount)],
        ]}
      />
      {done !== null && <p role="status">{done}</p>}
    </DeskPanel>
  );
}
