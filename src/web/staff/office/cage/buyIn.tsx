import { useState } from 'preact/hooks';
import { formatMoney, formatShortMoney } from '../../../../base/formatMoney.ts';
import { type TerminalList } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { parseMoney } from '../../kit/text/parseMoney.ts';
import { staffClient } from '../../app/connection.ts';
import { propertyCurrency } from '../../app/state.ts';
import { useFormCommands } from '../forms/useFormCommands.tsx';
import { FactList, TextField } from '../forms/fields.tsx';
import { useFormKeys } from '../forms/useFormKeys.ts';
import { CagePanel, useTwoPressPayment } from './cagePanel.tsx';
import { cageStrings } from './strings.ts';

const quickAmounts = [10_000, 20_000, 50_000, 100_000, 200_000];

/**
 * Text that names the amount from which a patron's name is required. It also says when `amount` has reached it. If no
 * amount requires a name, the text says so.
 */
export const patronNameRequirementText = (nameFrom: number | null, amount: number): string => {
  const t = cageStrings();
  if (nameFrom === null) return t.never;
  return amount >= nameFrom ? t.yes(formatMoney(nameFrom)) : t.from(formatMoney(nameFrom));
};

/** Panel for a buy-in: cash becomes credit of a terminal. */
export function BuyInPanel({ nameFrom }: { readonly nameFrom: number | null }) {
  const t = cageStrings();
  const commands = useFormCommands();
  const [terminal, setTerminal] = useState('');
  const [typed, setTyped] = useState('');
  const [loadedText, setLoadedText] = useState<string | null>(null);
  const terminalId = terminal.trim().toUpperCase();
  const result = useQuery<TerminalList>(
    'terminals',
    { text: terminalId === '' ? '?' : terminalId },
    2_000,
    commands.revision,
  );
  const row =
    result.state === 'loaded'
      ? result.data.terminals.find((one) => one.terminal.toUpperCase() === terminalId)
      : undefined;
  const amount = parseMoney(typed.replaceAll(',', '')) ?? 0;
  const payment = useTwoPressPayment(
    `load ${terminalId} ${amount}`,
    commands.isDisabled || row === undefined || amount === 0,
    async () => {
      const command = { type: 'LoadCredit', method: 'cash', amount };
      if (!(await commands.send(() => staffClient.terminal(row!.terminal, command)))) return;
      setLoadedText(t.loaded(formatMoney(amount), row!.terminal));
      setTyped('');
    },
    () => setLoadedText(null),
  );
  const addAmount = (by: number): void => setTyped(formatMoney(amount + by).replaceAll(',', ''));
  useFormKeys({
    B: payment.onPress,
    ...Object.fromEntries(quickAmounts.map((by, n) => [String(n + 1), () => addAmount(by)])),
  });
  return (
    <CagePanel
      title={t.buyIn}
      tag={t.cash}
      commands={commands}
      payment={payment}
      text={amount === 0 ? t.creditNone : t.credit(formatMoney(amount))}
      amount={formatMoney(amount)}
      keyName="B"
      hasFields
    >
      <TextField label={t.terminal} value={terminal} set={setTerminal} maxLength={40} placeholder="T7" />
      {terminalId !== '' && result.state === 'loaded' && row === undefined && <p class="q">{t.noSuch}</p>}
      <TextField
        label={t.amount(propertyCurrency.value)}
        value={typed}
        set={setTyped}
        kind="money"
        big
        maxLength={13}
      />
      <div class="chips">
        {quickAmounts.map((by, n) => (
          <button key={by} type="button" class="btn small" onClick={() => addAmount(by)}>
            {formatShortMoney(by)} <KeyCap>{n + 1}</KeyCap>
          </button>
        ))}
      </div>
      <FactList
        facts={[
          [t.before, row ? formatMoney(row.credit) : '–'],
          [t.after, row ? formatMoney(row.credit + amount) : '–'],
          [t.nameFrom, patronNameRequirementText(nameFrom, amount)],
        ]}
      />
      {loadedText !== null && <p role="status">{loadedText}</p>}
    </CagePanel>
  );
}
