import { useState } from 'preact/hooks';
import { money, shortMoney } from '../../../../base/formatMoney.ts';
import { type Terminals } from '../../../../wire/staff/cageTypes.ts';
import { useAsked } from '../../kit/useQuery.ts';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { moneyOf } from '../../kit/text/parseMoney.ts';
import { staff } from '../../app/connection.ts';
import { currency } from '../../app/state.ts';
import { useActs } from '../forms/useAction.tsx';
import { Facts, Typed } from '../forms/fields.tsx';
import { useKeys } from '../forms/useFormKeys.ts';
import { DeskPanel, usePaying } from './cagePanel.tsx';
import { words } from './strings.ts';

const usual = [10_000, 20_000, 50_000, 100_000, 200_000];

/** From which amount on a name is asked for, and whether it is for this one. */
export const nameText = (nameFrom: number | null, amount: number): string => {
  const t = words();
  if (nameFrom === null) return t.never;
  return amount >= nameFrom ? t.yes(money(nameFrom)) : t.from(money(nameFrom));
};

/** Cash comes in and is credited to a terminal. */
export function BuyIn({ nameFrom }: { readonly nameFrom: number | null }) {
  const t = words();
  const acts = useActs();
  const [terminal, setTerminal] = useState('');
  const [typed, type] = useState('');
  const [done, say] = useState<string | null>(null);
  const wanted = terminal.trim().toUpperCase();
  const found = useAsked<Terminals>('terminals', { text: wanted === '' ? '?' : wanted }, 2_000, acts.turn);
  const row =
    found.state === 'there' ? found.data.terminals.find((one) => one.terminal.toUpperCase() === wanted) : undefined;
  const amount = moneyOf(typed.replaceAll(',', '')) ?? 0;
  const paying = usePaying(
    `load ${wanted} ${amount}`,
    acts.isDead || row === undefined || amount === 0,
    async () => {
      const asked = { type: 'LoadCredit', way: 'cash', amount };
      if (!(await acts.run(() => staff.terminal(row!.terminal, asked)))) return;
      say(t.loaded(money(amount), row!.terminal));
      type('');
    },
    () => say(null),
  );
  const more = (by: number): void => type(money(amount + by).replaceAll(',', ''));
  useKeys({
    B: paying.press,
    ...Object.fromEntries(usual.map((by, n) => [String(n + 1), () => more(by)])),
  });
  return (
    <DeskPanel
      title={t.buyIn}
      tag={t.cash}
      acts={acts}
      paying={paying}
      text={amount === 0 ? t.creditNone : t.credit(money(amount))}
      amount={money(amount)}
      keyName="B"
      typed
    >
      <Typed label={t.terminal} value={terminal} set={setTerminal} most={40} place="T7" />
      {wanted !== '' && found.state === 'there' && row === undefined && <p class="q">{t.noSuch}</p>}
      <Typed label={t.amount(currency.value)} value={typed} set={type} kind="money" big most={13} />
      <div class="chips">
        {usual.map((by, n) => (
          <button key={by} type="button" class="btn small" onClick={() => more(by)}>
            {shortMoney(by)} <Kbd>{n + 1}</Kbd>
          </button>
        ))}
      </div>
      <Facts
        all={[
          [t.before, row ? money(row.credit) : '–'],
          [t.after, row ? money(row.credit + amount) : '–'],
          [t.nameFrom, nameText(nameFrom, amount)],
        ]}
      />
      {done !== null && <p role="status">{done}</p>}
    </DeskPanel>
  );
}
