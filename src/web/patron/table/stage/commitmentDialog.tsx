import { cardCommitmentChecks } from '../../app/cardProofs.ts';
import { tableView } from '../../app/state.ts';
import { SheetDialog } from '../sheet.tsx';
import { tableScreenStrings } from '../strings.ts';

export function CommitmentDialog() {
  const t = tableScreenStrings();
  const shoe = tableView.value?.shoe ?? null;
  const known = cardCommitmentChecks.value.filter((fits) => fits !== undefined);
  const isBad = known.includes(false);
  return (
    <SheetDialog name="proof" title={isBad ? t.notProven : t.proofTitle}>
      {shoe === null || shoe.root === null ? (
        <p>{t.proofNone}</p>
      ) : (
        <>
          <p>{t.proofText}</p>
          <dl class="proof-list">
            <dt>{t.commitment}</dt>
            <dd>
              <code data-testid="root">{shoe.root}</code>
            </dd>
            {shoe.cutPosition !== null && (
              <>
                <dt>{t.turn}</dt>
                <dd>{shoe.cutPosition}</dd>
              </>
            )}
          </dl>
          <p class={isBad ? 'proof-bad' : 'proof-good'} data-testid="checked">
            {isBad ? `× ${t.proofFailed}` : `✓ ${known.length} ${t.checked}`}
          </p>
        </>
      )}
    </SheetDialog>
  );
}
