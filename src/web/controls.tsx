import { money, short } from './figures.ts';
import { accepted, again, canUndo, chip, clear, double, shown, undo, wanted } from './slip.ts';
import { isOpen, own, view } from './state.ts';
import { words } from './words.ts';

function Tray() {
  const t = words();
  return (
    <div class="tray" role="group" aria-label={t.chips}>
      {view.value!.tray.map((amount, n) => (
        <button
          key={amount}
          type="button"
          class={`chip pick c${n % 5}`}
          aria-pressed={chip.value === n}
          aria-label={`${t.chip} ${money(amount)}`}
          onClick={() => {
            chip.value = n;
          }}
        >
          {short(amount)}
        </button>
      ))}
    </div>
  );
}

function Keys() {
  const t = words();
  const open = isOpen.value;
  const none = Object.keys(shown.value).length === 0;
  const repeat = Object.keys(own.value?.again ?? {}).length > 0;
  return (
    <div class="keys">
      <button type="button" disabled={!open || !canUndo.value} onClick={undo}>
        {t.undo}
      </button>
      <button type="button" disabled={!open || none} onClick={clear}>
        {t.clear}
      </button>
      <button type="button" disabled={!open || none} aria-label={t.doubleName} onClick={double}>
        {t.double}
      </button>
      <button type="button" disabled={!open || !repeat} onClick={again}>
        {t.again}
      </button>
    </div>
  );
}

function Meter({ name, cents, mark, pale = false }: { name: string; cents: number; mark: string; pale?: boolean }) {
  const t = words();
  return (
    <div class={`meter ${mark}`}>
      <span class="label">
        {name} <small>{t.demo}</small>
      </span>
      <output class={pale ? 'pale' : ''} data-meter={mark} aria-label={`${name}, ${t.demo}`}>
        {money(cents)}
      </output>
    </div>
  );
}

/** Chips, keys and meters. The meters show what stands in the record, nothing else. */
export function Controls() {
  const t = words();
  const bet = Object.values(accepted.value).reduce((sum, stake) => sum + stake, 0);
  const won = own.value?.paid?.reduce((sum, paid) => sum + paid.won, 0) ?? 0;
  return (
    <footer class="controls">
      <Tray />
      <Keys />
      <div class="meters">
        <Meter name={t.bet} cents={bet} mark="bet" pale={wanted.value !== null} />
        <Meter name={t.credit} cents={own.value?.credit ?? 0} mark="credit" />
        <Meter name={t.win} cents={won} mark="win" />
      </div>
    </footer>
  );
}
