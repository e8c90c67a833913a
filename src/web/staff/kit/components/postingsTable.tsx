import { Fragment } from 'preact';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { createStringsGetter } from '../../../shared/text/language.ts';

const en = {
  accounts: {
    cage: 'cage',
    stakes: 'stakes',
    house: 'house',
    commission: 'commission',
    'hand-pay': 'hand-pay',
    shortfall: 'shortfall',
    ticket: 'ticket',
    external: 'outside',
  } as { readonly [kind: string]: string },
  session: (terminal: string, session: string) => `${terminal}, session ${session}`,
  to: 'to',
};
type Strings = typeof en;
const zh: Strings = {
  accounts: {
    cage: '账房',
    stakes: '投注',
    house: '赌场',
    commission: '佣金',
    'hand-pay': '人工支付',
    shortfall: '欠款',
    ticket: '票券',
    external: '外部',
  },
  session: (terminal, session) => `${terminal} 第 ${session} 场`,
  to: '至',
};
const strings = createStringsGetter<Strings>({ en, zh });

/**
 * Display name of a ledger account. The account of a credit session is named by terminal and session number, any other
 * account by its kind.
 */
function accountText(account: string): string {
  const t = strings();
  const [, , kind = '', name = ''] = account.split('/');
  if (kind !== 'terminal') return t.accounts[kind] ?? kind;
  const point = name.lastIndexOf('.');
  return point < 0 ? name : t.session(name.slice(0, point), name.slice(point + 1));
}

type Posting = { readonly from: string; readonly to: string; readonly amount: number };

export function PostingsTable({ postings }: { readonly postings: readonly Posting[] }) {
  const t = strings();
  return (
    <div class="postings" data-testid="postings">
      {postings.map(({ from, to, amount }, n) => (
        <Fragment key={n}>
          <span>{accountText(from)}</span>
          <span>{t.to}</span>
          <span>{accountText(to)}</span>
          <span class="num">{formatMoney(amount)}</span>
        </Fragment>
      ))}
    </div>
  );
}
