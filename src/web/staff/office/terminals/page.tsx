import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { type ListedTerminal, type TerminalList } from '../../../../wire/staff/cageTypes.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { formatTimeOfDay, durationText } from '../../kit/text/timeText.ts';
import { staffServerSecondMs } from '../../app/state.ts';
import { useFormCommands } from '../forms/useFormCommands.tsx';
import { adjacentItem, useFormKeys } from '../forms/useFormKeys.ts';
import { FilterButtons, SearchField } from '../components/listFilter.tsx';
import { TerminalDetail, HandPayApproval, handPayLockCode, proposeHandPay } from './terminalDetail.tsx';
import { terminalsStrings } from './strings.ts';

const searchText = signal('');
const filter = signal<'all' | 'need' | 'offline'>('all');
const selectedId = signal<string | null>(null);

const needsPerson = ({ owed, locked }: ListedTerminal): boolean => owed > 0 || locked !== null;
const emptyList: TerminalList = {
  terminals: [],
  all: 0,
  need: 0,
  offline: 0,
  limits: { handPay: null, nameFrom: null },
};

export function Page() {
  const t = terminalsStrings();
  const commands = useFormCommands();
  const input = useRef<HTMLInputElement>(null);
  const result = useQuery<TerminalList>(
    'terminals',
    searchText.value === '' ? {} : { text: searchText.value },
    2_000,
    commands.revision,
  );
  const data = result.state === 'loaded' ? result.data : emptyList;
  const shown = data.terminals.filter(
    (one) => filter.value === 'all' || (filter.value === 'need' ? needsPerson(one) : !one.online && one.credit > 0),
  );
  const selected = shown.find(({ terminal }) => terminal === selectedId.value) ?? shown[0];
  const isProposed =
    selected !== undefined && selected.proposal !== null && selected.proposal.expires > staffServerSecondMs.value;
  const move = (by: 1 | -1) => () => {
    selectedId.value = adjacentItem(shown, (row) => row === selected, by)?.terminal ?? null;
  };
  const focusReason = (): void => document.querySelector<HTMLInputElement>('.side-acts form.body input')?.focus();
  useFormKeys({
    '/': () => input.current?.focus(),
    W: () => (filter.value = filter.value === 'need' ? 'all' : 'need'),
    O: () => (filter.value = filter.value === 'offline' ? 'all' : 'offline'),
    J: move(1),
    K: move(-1),
    ArrowDown: move(1),
    ArrowUp: move(-1),
    U: focusReason,
    ...(!isProposed && {
      Enter: () => selected && proposeHandPay(selected, commands),
      Escape: () => (document.activeElement as HTMLElement | null)?.blur(),
    }),
  });
  const filterLabel = (which: 'all' | 'need' | 'offline') => (
    <>
      <b>{t[which]}</b> {data[which]}
    </>
  );
  return (
    <PageFrame name="terms">
      <h1 class="spoken">{kitStrings().nav['terminals']}</h1>
      <section class="panel query wide" aria-label={t.find}>
        <SearchField label={t.find} text={searchText} input={input} />
        <FilterButtons
          chosen={filter}
          options={[
            { value: 'all', text: filterLabel('all') },
            { value: 'need', text: filterLabel('need'), keyName: 'W' },
            { value: 'offline', text: filterLabel('offline'), keyName: 'O' },
          ]}
        />
        <span class="grow" />
        {data.terminals.length < data.all && searchText.value === '' && (
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
              <th>{t.connection}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={row.terminal} row={row} isChosen={row === selected} />
            ))}
          </tbody>
        </table>
        {result.state === 'loaded' && shown.length === 0 && <p class="q pad-in">{t.none}</p>}
      </section>
      {selected === undefined ? (
        <section class="panel pad-in q">{t.choose}</section>
      ) : (
        <TerminalDetail key={selected.terminal} one={selected} limits={data.limits} commands={commands} />
      )}
      {isProposed && (
        <HandPayApproval
          key={selected.proposal.hash}
          terminal={selected.terminal}
          proposal={selected.proposal}
          commands={commands}
        />
      )}
    </PageFrame>
  );
}

function Row({ row, isChosen }: { readonly row: ListedTerminal; readonly isChosen: boolean }) {
  const t = terminalsStrings();
  const { terminal, table, online, session, since, credit, owedSince } = row;
  return (
    <tr
      class={isChosen ? 'on' : ''}
      onClick={() => (selectedId.value = terminal)}
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
        {owedSince !== null
          ? t.waits(durationText(staffServerSecondMs.value - owedSince))
          : session !== null && since !== null && t.session(session, formatTimeOfDay(since))}
      </td>
      <td class="num">{formatMoney(credit)}</td>
      <td class="q">
        {online ? t.connected : credit > 0 ? <span class="tag attn">{t.noConnection}</span> : t.noConnection}
      </td>
    </tr>
  );
}

function State({ row: { owed, signed, locked, disputed, session } }: { readonly row: ListedTerminal }) {
  const { states } = terminalsStrings();
  if (owed > 0) {
    const isSigned = signed.reduce((sum, { amount }) => sum + amount, 0) === owed;
    return (
      <span class={`tag ${isSigned ? 'two' : 'attn'}`}>
        {isSigned ? states.signed : states.handPay} {formatMoney(owed)}
      </span>
    );
  }
  if (locked !== null) {
    return <span class="tag attn">{locked === handPayLockCode ? states.handPaid : states.locked}</span>;
  }
  if (disputed > 0) return <span class="tag attn">{states.question}</span>;
  return <span class="q">{session === null ? states.idle : states.play}</span>;
}
