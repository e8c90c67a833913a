import { formatMoney } from '../../../base/formatMoney.ts';
import { refilled } from '../app/state.ts';
import { collectStrings } from './strings.ts';

/** A word about demo credit that was given again; it stays until it is read. */
export function Refilled() {
  const t = collectStrings();
  const amount = refilled.value;
  return (
    <div class="refilled-place" role="status">
      {amount !== null && (
        <p class="refilled" data-testid="refilled">
          {t.refilled(formatMoney(amount))}{' '}
          <button type="button" class="key" onClick={() => (refilled.value = null)}>
            {t.close}
          </button>
        </p>
      )}
    </div>
  );
}
