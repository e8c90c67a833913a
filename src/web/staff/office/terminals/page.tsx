import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type ListedTerminal, type TerminalList } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { Frame } from '../parts/pageFrame.tsx';
import { kitStrings as kitWords } from '../../kit/text/strings.ts';
import { formatTimeOfDay, spanText } from '../../kit/text/timeText.ts';
import { second } from '../../app/state.ts';
import { useActs } from '../forms/useAction.tsx';
import { moveSelection, useFormKeys } from '../forms/useFormKeys.ts';
import { Only, Search } from '../parts/listFilter.tsx';
import { One, HandPayApproval, proposeAt } from './terminalDetail.tsx';
import { terminalsStrings } from './strings.ts';

const text = signal('');
const only = signal<'all' | 'need' | 'offline'>('all');
const chosen = signal<string | null>(null);

const needs = ({ owed, locked }: ListedTerminal): boolean => owed > 0 || locked !== null;
const nothing: TerminalList = {
  terminals: [],
  all: 0,
  need: 0,
  offline: 0,
  limits: { handPay: null, nameFrom: null },
};

/** Terminals page. */
export function Page() {
  const t = terminalsStrings();
  const acts = useActs();
  const input = useRef<HTMLInputElement>(null);
  const found = useQuery<TerminalList>('terminals', text.value === '' ? {} : { text: text.value }, 2_000, acts.turn);
  const data = found.state === 'there' ? found.data : nothing;
  const shown = data.terminals.filter(
    (one) => only.value === 'all' || (only.value === 'need' ? needs(one) : !one.online && one.credit > 0),
  );
  const one = shown.find(({ terminal }) => terminal === chosen.value) ?? shown[0];
  const isProposed = one !== undefined && one.proposal !== null && one.proposal.expires > second.value;
  const move = (by: 1 | -1) => () => {
    chosen.value = moveSelection(shown, (row) => row === one, by)?.terminal ?? null;
  };
  const reasonField = (): void => document.querySelector<HTMLInputElement>('.side-acts form.body input')?.focus();
  useFormKeys({
    '/': () => input.current?.focus(),
    W: () => (only.value = only.value === 'need' ? 'all' : 'need'),
    O: () => (only.value = only.value === 'offline' ? 'all' : 'offline'),
    J: move(1),
    K: move(-1),
    ArrowDown: move(1),
    ArrowUp: move(-1),
    U: reasonField,
    ...(!isProposed && {
      Enter: () => one && proposeAt(one, acts),
      Escape: () => (document.activeElement as HTMLElement | null)?.blur(),
    }),
  });
  const counted = (which: 'all' | 'need' | 'offline') => (
    <>
      <b>{t[which]}</b> {data[which]}
    </>
  );
  return (
    <Frame name="terms">
      <h1 class="spoken">{kitWords().nav['terminals']}</h1>
      <section class="panel query wide" aria-label={t.find}>
        <Search label={t.find} text={text} input={input} />
        <Only
          chosen={only}
          of={[
            { which: 'all', text: counted('all') },
            { which: 'need', text: counted('need'), keyName: 'W' },
            { which: 'offline', text: counted('offline'), keyName: 'O' },
          ]}
        />
        <span class="grow" />
        {data.terminals.length < data.all && text.value === '' && (
          <span class="q">{t.more(data.terminals.length, data.all)}</span>
        )}
      </section>
      <section class="panel scroll" tabIndex={0} aria-label={t.list}>
        <table class="g">
          <thead>
            <tr>
              <th>{t.terminal}</th>
              <th>{t.table}</th>
              <th>{t.state}</th>
              <th>{t.since}</th>
              <th class="num">{t.credit}</th>
              <th>{t.link}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={row.terminal} row={row} isChosen={row === one} />
            ))}
          </tbody>
        </table>
        {found.state === 'there' && shown.length === 0 && <p class="q pad-in">{t.none}</p>}
      </section>
      {one === undefined ? (
        <section class="panel pad-in q">{t.choose}</section>
      ) : (
        <One key={one.terminal} one={one} limits={data.limits} acts={acts} />
      )}
      {isProposed && (
        <HandPayApproval key={one.proposal.hash} terminal={one.terminal} proposal={one.proposal} acts={acts} />
      )}
    </Frame>
  );
}

function Row({ row, isChosen }: { readonly row: ListedTerminal; readonly isChosen: boolean }) {
  const t = terminalsStrings();
  const { terminal, table, online, session, since, credit, owed, moved } = row;
  return (
    <tr
      class={isChosen ? 'on' : ''}
      onClick={() => (chosen.value = terminal)}
      {...(isChosen && { 'aria-current': 'true' })}
    >
      <td>
        <b>{terminal}</b>
      </td>
      <td>{table ?? '–'}</td>
      <td>
        <State row={row} />
      </td>
      <td class="q">
        {owed > 0 && moved !== null
          ? t.waits(spanText(second.value - moved))
          : session !== null && since !== null && t.session(session, formatTimeOfDay(since))}
      </td>
      <td class="num">{formatMoney(owed > 0 ? owed : credit)}</td>
      <td class="q">{online ? t.linked : credit > 0 ? <span class="tag attn">{t.noLink}</span> : t.noLink}</td>
    </tr>
  );
}

function State({ row: { owed, signed, locked, inQuestion, session } }: { readonly row: ListedTerminal }) {
  const { states } = terminalsStrings();
  if (owed > 0) {
    const isSigned = signed.reduce((sum, { amount }) => sum + amount, 0) === owed;
    return <span class={`tag ${isSigned ? 'two' : 'attn'}`}>{isSigned ? states.signed : states.handPay}</span>;
  }
  if (locked !== null) return <span class="tag attn">{states.locked}</span>;
  if (inQuestion > 0) return <span class="tag attn">{states.question}</span>;
  return <span class="q">{session === null ? states.idle : states.play}</span>;
}
