import { formatMoney } from '../../../../base/formatMoney.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { parseMoney } from '../../kit/text/parseMoney.ts';
import { SecondaryActions, NextAction } from '../../kit/components/nextAction.tsx';
import { reportSheetGroups } from '../../kit/text/irregularityStrings.ts';
import { language } from '../../../shared/text/language.ts';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { staffServerTimeMs } from '../../app/state.ts';
import { clausesByTopic } from '../panels/sidePanel.tsx';
import { ConsoleField } from '../field.tsx';
import { type FieldSpec, deleteFieldCharacter, activateFirstEmptyField } from '../formFields.ts';
import { ActionPanel } from '../panels/actionPanel.tsx';
import { type ConsoleScene } from '../scene.ts';
import { sendCommand, showRefusal } from '../../kit/sendCommand.ts';
import { manuallyFinishedRoundId, consoleDraft, closeDraft, formFields, formFieldValue } from '../state.ts';
import { dealerStrings } from '../strings.ts';

const chipSpecs: readonly FieldSpec[] = [
  { name: 'place', accepts: 'digits', maxLength: 2 },
  { name: 'amount', accepts: 'money', maxLength: 12 },
];

type ChipsDraft = Extract<NonNullable<typeof consoleDraft.value>, { type: 'chips' }>;

/**
 * Set as `formFields.active` while the dealer chooses a wager: digits then choose a wager in the list instead of
 * filling a field.
 */
const wagerField = 'wager';

/** Scene to report chips that were placed, raised or removed after “No more bets”. */
export function reportLateChipChangeScene(view: DealerView, { kind, wager }: ChipsDraft): ConsoleScene {
  const t = dealerStrings();
  const title = reportSheetGroups[3]!.rows.find((row) => row.kinds.includes(kind))?.[language.value][0] ?? kind;
  const by = view.reports.find((one) => one.kind === kind)?.by ?? null;
  const nameOf = (id: string): string => wagerName(id, view.offered.find((one) => one.wager === id)?.name ?? id);
  const amount = parseMoney(formFieldValue('amount'));
  const place = formFieldValue('place');
  const isChoosingWager = formFields.value.active === wagerField;
  const choose = (id: string): void => {
    consoleDraft.value = { type: 'chips', kind, wager: id };
    formFields.value = { ...formFields.value, active: 'amount' };
  };
  const record = (): void => {
    if (place !== '' && wager === null) {
      formFields.value = { ...formFields.value, active: wagerField };
      return;
    }
    if (activateFirstEmptyField(chipSpecs)) return;
    if (amount === undefined || wager === null) {
      showRefusal(t.late.missing, by);
      return;
    }
    void sendCommand({ type: 'ReportWager', kind, place, wager, amount }).then(
      (isAccepted) => isAccepted && closeDraft(),
    );
  };
  const line =
    amount === undefined || wager === null || place === ''
      ? t.late.three
      : t.late.line(place, nameOf(wager), formatMoney(amount));
  const numbered = view.offered.slice(0, 9);
  return {
    prompt: { title, reason: t.late.why[kind] ?? '', by },
    left: (
      <section class="panel shoeform late">
        <header>
          <h2>{t.late.where}</h2>
          <span class="grow" />
          <span class="q">{t.late.three}</span>
        </header>
        <div class="body">
          <div class="row wide">
            <ConsoleField name="place" label={t.late.place} big />
            <ConsoleField name="amount" label={t.late.amount} big />
          </div>
          <div class={`picks five${isChoosingWager ? ' asks' : ''}${view.offered.length > 10 ? ' many' : ''}`}>
            {view.offered.map((one, n) => (
              <button
                key={one.wager}
                type="button"
                class={one.wager === wager ? 'on' : ''}
                aria-pressed={one.wager === wager}
                data-wager={one.wager}
                onClick={() => choose(one.wager)}
              >
                {n < numbered.length && <KeyCap>{n + 1}</KeyCap>}
                <b>{nameOf(one.wager)}</b>
              </button>
            ))}
          </div>
        </div>
      </section>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind={amount === undefined || wager === null || place === '' ? 'wait' : 'act'}
          title={t.late.note}
          detail={`${line}${amount === undefined || wager === null ? '' : `: ${t.late.does[kind] ?? ''}`}`}
          by={by}
          run={record}
        />
        <SecondaryActions actions={[{ text: t.notNow, keyName: 'Esc', run: closeDraft }]} />
      </ActionPanel>
    ),
    keys: {
      expects: isChoosingWager ? 'list' : 'field',
      specs: chipSpecs,
      next: record,
      back: () => {
        if (isChoosingWager) formFields.value = { ...formFields.value, active: 'place' };
        else deleteFieldCharacter(chipSpecs);
      },
      escape: closeDraft,
      digit: (digit) => {
        const one = numbered[digit - 1];
        if (one !== undefined) choose(one.wager);
      },
    },
  };
}

const sinceSpecs: readonly FieldSpec[] = [{ name: 'minutes', accepts: 'digits', maxLength: 3 }];

/**
 * Scene to report an interruption. The dealer enters how many minutes ago it began. At a chip table the dealer finishes
 * the round without the system. [READING 62]
 */
export function reportInterruptionScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const isChips = view.bets === 'chips';
  const by = view.reports.find(({ kind }) => kind === 'interruption')?.by ?? null;
  const report = (): void => {
    const minutes = Number(formFieldValue('minutes') || '0');
    const since = Math.max(0, Math.round(staffServerTimeMs.peek()) - minutes * 60_000);
    if (isChips) manuallyFinishedRoundId.value = view.round?.id ?? null;
    void sendCommand({ type: 'ReportInterruption', since, stateLost: false }).then(
      (isAccepted) => isAccepted && closeDraft(),
    );
  };
  return {
    prompt: { title: t.since.title, reason: t.since.why, by },
    left: (
      <section class="panel shoeform">
        <header>
          <h2>{t.since.title}</h2>
        </header>
        <div class="body">
          <ConsoleField name="minutes" label={t.since.minutes} big />
          {isChips && <p class="q">{t.since.chips}</p>}
        </div>
      </section>
    ),
    right: (
      <ActionPanel>
        <NextAction kind="act" title={t.since.record} detail={t.since.why} by={by} run={report} />
        <SecondaryActions actions={[{ text: t.notNow, keyName: 'Esc', run: closeDraft }]} />
      </ActionPanel>
    ),
    keys: {
      expects: 'field',
      specs: sinceSpecs,
      next: report,
      back: () => void deleteFieldCharacter(sinceSpecs),
      escape: closeDraft,
    },
  };
}

/** Native text area, so that every input method works, such as one for Chinese. */
function TextArea({ name, label }: { readonly name: string; readonly label: string }) {
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
        value={formFieldValue(name)}
        onInput={({ currentTarget }) => {
          formFields.value = { active: name, values: { [name]: currentTarget.value.replaceAll('\n', ' ') } };
        }}
      />
    </label>
  );
}

/** Scene to refer a case that no rule covers. The referral freezes the table. */
export function referralScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const by = clausesByTopic(view).refer;
  const refer = (): void => {
    const reason = formFieldValue('reason').trim();
    if (reason === '') showRefusal(t.refer.empty, by);
    else void sendCommand({ type: 'Refer', reason }).then((isAccepted) => isAccepted && closeDraft());
  };
  return {
    prompt: { title: t.refer.title, reason: t.refer.why, by },
    left: (
      <section class="panel shoeform">
        <header>
          <h2>{t.refer.title}</h2>
        </header>
        <div class="body">
          <TextArea name="reason" label={t.refer.label} />
        </div>
      </section>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind={formFieldValue('reason').trim() === '' ? 'wait' : 'act'}
          title={t.refer.act}
          detail={t.refer.sub}
          by={by}
          run={refer}
        />
        <SecondaryActions actions={[{ text: t.notNow, keyName: 'Esc', run: closeDraft }]} />
      </ActionPanel>
    ),
    keys: { expects: 'field', next: refer, escape: closeDraft },
  };
}

export function noteScene(view: DealerView): ConsoleScene {
  const t = dealerStrings();
  const add = (): void => {
    const text = formFieldValue('note').trim();
    if (text === '') showRefusal(t.refer.empty);
    else void sendCommand({ type: 'AddNote', text, to: 'floor' }).then((isAccepted) => isAccepted && closeDraft());
  };
  return {
    prompt: { title: t.note.title, reason: t.note.to, by: view.prompt.by, isStopped: view.stopped !== null },
    left: (
      <section class="panel shoeform">
        <header>
          <h2>{t.note.title}</h2>
        </header>
        <div class="body">
          <TextArea name="note" label={t.note.label} />
        </div>
      </section>
    ),
    right: (
      <ActionPanel>
        <NextAction
          kind={formFieldValue('note').trim() === '' ? 'wait' : 'act'}
          title={t.note.act}
          detail={t.note.to}
          run={add}
        />
        <SecondaryActions actions={[{ text: t.notNow, keyName: 'Esc', run: closeDraft }]} />
      </ActionPanel>
    ),
    keys: { expects: 'field', next: add, escape: closeDraft },
  };
}
