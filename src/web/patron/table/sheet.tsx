import { type ComponentChildren } from 'preact';
import { Icon } from '../../shared/widgets/icons.tsx';
import { currentOverlay } from '../app/overlay.ts';
import { Dialog } from './dialog.tsx';
import { tableScreenStrings } from './strings.ts';

type SheetProps = { name: string; title: ComponentChildren; note?: string; children: ComponentChildren };

/** A dialog with a heading and a close button. It rises a little as it appears. */
export function SheetDialog({ name, title, note, children }: SheetProps) {
  const close = (): void => void (currentOverlay.value = null);
  return (
    <Dialog name={name} class={`sheet sheet-${name}`} titleId={`sheet-${name}`} close={close}>
      <div class="sheet-body">
        <header class="sheet-head">
          <h2 id={`sheet-${name}`}>{title}</h2>
          {note !== undefined && <p>{note}</p>}
          <button type="button" class="key key-icon" aria-label={tableScreenStrings().close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </Dialog>
  );
}
