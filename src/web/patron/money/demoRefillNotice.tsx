import { formatMoney } from '../../../base/formatMoney.ts';
import { lastDemoRefillCents } from '../app/state.ts';
import { collectStrings } from './strings.ts';

export function DemoRefillNotice() {
  const t = collectStrings();
  const amount = lastDemoRefillCents.value;
  return (
    <div class="refilled-place" role="status">
      {amount !== null && (
        <p class="refilled" data-testid="refilled">
          {t.refilled(formatMoney(amount))}{' '}
          <button type="button" class="key" onClick={() => (lastDemoRefillCents.value = null)}>
            {t.close}
          </button>
        </p>
      )}
    </div>
  );
}
