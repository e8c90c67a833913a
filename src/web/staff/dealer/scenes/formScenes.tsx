import { formatMoney } from '../../../../base/formatMoney.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { moneyOf } from '../../kit/text/parseMoney.ts';
import { AlsoKeys, Go } from '../../kit/components/nextAction.tsx';
import { wrongGroups } from '../../kit/text/irregularityStrings.ts';
import { language } from '../../../shared/text/language.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { now } from '../../app/state.ts';
import { viewClauses } from '../sidePanel.tsx';
import { Field } from '../field.tsx';
import { type Spec, deleteLetter, toEmpty } from '../formFields.ts';
import { NextPanel } from '../actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { send } from '../../kit/sendCommand.ts';
import { afterwards, draft, dropDraft, fields, refuseWith, valueOf } from '../state.ts';
import { dealerStrings } from '../strings.ts';

// What a report or a referral asks for beside its kind.

const chipSpecs: readonly Spec[] = [
  { name: 'place', takes: 'digits', most: 2 },
  { name: 'amount', takes: 'money', most: 12 },
];

type Chips = Extract<NonNullable<typeof draft.value>, { what: 'chips' }>;

/** The wager that gets the digits, between place and amount. */
const picks = 'wager';

/** Chips that were late, raised or taken back: place, wager, amount. */
export function chipsScene(view: DealerView, { kind, wager }: Chips): ConsoleScene {
  const t = dealerStrings();
  const title = wrongGroups[3]!.rows.find((row) => row.kinds.includes(kind))?.[language.value][0] ?? kind;
  const by = view.reports.find((one) => one.kind === kind)?.by ?? null;
  const nameOf = (id: string): string => wagerName(id, view.offered.find((one) => one.wager === id)?.name ?? id);
  const amount = moneyOf(valueOf('amount'));
  const place = valueOf('place');
  const isPicking = fields.value.on === picks;
  const choose = (id: string): void => {
    draft.value = { what: 'chips', kind, wager: id };
    fields.value = { ...fields.value, on: 'amount' };
  };
  const note = (): void => {
    if (place !== '' && wager === null) {
      fields.value = { ...fields.value, on: picks };
      return;
    }
    if (toEmpty(chipSpecs)) return;
    if (amount === undefined || wager === null) {
      refuseWith(t.late.missing, by);
      return;
    }
    void send({ type: 'ReportWager', kind, place, wager, amount }).then((taken) => taken && dropDraft());
  };
  const line =
    amount === undefined || wager === null || place === ''
      ? t.late.three
      : t.late.line(place, nameOf(wager), formatMoney(amount));
  const few = view.offered.slice(0, 9);
  return {
    say: { title, why: t.late.why[kind] ?? '', by },
    left: (
      <section class="panel shoeform late">
        <header>
          <h2>{t.late.where}</h2>
          <span class="grow" />
          <span class="q">{t.late.three}</span>
        </header>
        <div class="body">
          <div class="row wide">
            <Field name="place" label={t.late.place} big />
            <Field name="amount" label={t.late.amount} big />
          </div>
          <div class={`picks five${isPicking ? ' asks' : ''}${view.offered.length > 10 ? ' many' : ''}`}>
            {view.offered.map((one, n) => (
              <button
                key={one.wager}
                type="button"
                class={one.wager === wager ? 'on' : ''}
                aria-pressed={one.wager === wager}
                data-wager={one.wager}
                onClick={() => choose(one.wager)}
              >
                {n < few.length && <Kbd>{n + 1}</Kbd>}
                <b>{nameOf(one.wager)}</b>
              </button>
            ))}
          </div>
        </div>
      </section>
    ),
    right: (
      <NextPanel>
        <Go
          kind={amount === undefined || wager === null || place === '' ? 'wait' : 'act'}
          big={t.late.note}
          sub={`${line}${amount === undefined || wager === null ? '' : `: ${t.late.does[kind] ?? ''}`}`}
          by={by}
          act={note}
        />
        <AlsoKeys all={[{ text: t.notNow, keyName: 'Esc', act: dropDraft }]} />
      </NextPanel>
    ),
    keys: {
      takes: isPicking ? 'list' : 'field',
      specs: chipSpecs,
      next: note,
      back: () => {
        if (isPicking) fields.value = { ...fields.value, on: 'place' };
        else deleteLetter(chipSpecs);
      },
      escape: dropDraft,
      digit: (digit) => {
        const one = few[digit - 1];
        if (one !== undefined) choose(one.wager);
      },
    },
  };
}

const sinceSpecs: readonly Spec[] = [{ name: 'minutes', takes: 'digits', most: 3 }];

/** Table service was lost: since when. At a chip table the round is finished by hand. [READING 62] */
export function sinceScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const isChips = view.bets === 'chips';
  const by = view.reports.find(({ kind }) => kind === 'interruption')?.by ?? null;
  const tell = (): void => {
    const minutes = Number(valueOf('minutes') || '0');
    const since = Math.max(0, Math.round(now.peek()) - minutes * 60_000);
    if (isChips) afterwards.value = view.round?.id ?? null;
    void send({ type: 'ReportInterruption', since, stateLost: false }).then((taken) => taken && dropDraft());
  };
  return {
    say: { title: t.since.title, why: t.since.why, by },
    left: (
      <section class="panel shoeform">
        <header>
          <h2>{t.since.title}</h2>
        </header>
        <div class="body">
          <Field name="minutes" label={t.since.minutes} big />
          {isChips && <p class="q">{t.since.chips}</p>}
        </div>
      </section>
    ),
    right: (
      <NextPanel>
        <Go kind="act" big={t.since.record} sub={t.since.why} by={by} act={tell} />
        <AlsoKeys all={[{ text: t.notNow, keyName: 'Esc', act: dropDraft }]} />
      </NextPanel>
    ),
    keys: {
      takes: 'field',
      specs: sinceSpecs,
      next: tell,
      back: () => void deleteLetter(sinceSpecs),
      escape: dropDraft,
    },
  };
}

/** Words that a person writes, in any language: the browser itself keeps them. */
function Words({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <label class="field grow">
      <span>{label}</span>
      <textarea
        class="in"
        rows={4}
        maxLength={200}
        data-field={name}
        data-text
        ref={(one) => one?.focus()}
        value={valueOf(name)}
        onInput={({ currentTarget }) => {
          fields.value = { on: name, values: { [name]: currentTarget.value.replaceAll('\n', ' ') } };
        }}
      />
    </label>
  );
}

/** What no rule covers: a few words, and the table freezes. */
export function referScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const by = viewClauses(view).refer;
  const refer = (): void => {
    const reason = valueOf('reason').trim();
    if (reason === '') refuseWith(t.refer.empty, by);
    else void send({ type: 'Refer', reason }).then((taken) => taken && dropDraft());
  };
  return {
    say: { title: t.refer.title, why: t.refer.why, by },
    left: (
      <section class="panel shoeform">
        <header>
          <h2>{t.refer.title}</h2>
        </header>
        <div class="body">
          <Words name="reason" label={t.refer.words} />
        </div>
      </section>
    ),
    right: (
      <NextPanel>
        <Go
          kind={valueOf('reason').trim() === '' ? 'wait' : 'act'}
          big={t.refer.act}
          sub={t.refer.sub}
          by={by}
          act={refer}
        />
        <AlsoKeys all={[{ text: t.notNow, keyName: 'Esc', act: dropDraft }]} />
      </NextPanel>
    ),
    keys: { takes: 'field', next: refer, escape: dropDraft },
  };
}

/** A note for the record. */
export function noteScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const add = (): void => {
    const text = valueOf('note').trim();
    if (text === '') refuseWith(t.refer.empty);
    else void send({ type: 'AddNote', text, to: 'floor' }).then((taken) => taken && dropDraft());
  };
  return {
    say: { title: t.note.title, why: t.note.to, by: view.says.by, stop: view.stopped !== null },
    left: (
      <section class="panel shoeform">
        <header>
          <h2>{t.note.title}</h2>
        </header>
        <div class="body">
          <Words name="note" label={t.note.words} />
        </div>
      </section>
    ),
    right: (
      <NextPanel>
        <Go kind={valueOf('note').trim() === '' ? 'wait' : 'act'} big={t.note.act} sub={t.note.to} act={add} />
        <AlsoKeys all={[{ text: t.notNow, keyName: 'Esc', act: dropDraft }]} />
      </NextPanel>
    ),
    keys: { takes: 'field', next: add, escape: dropDraft },
  };
}
