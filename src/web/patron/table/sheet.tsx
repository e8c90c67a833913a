import { type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../shared/controls/icons.tsx';
import { overlay } from '../app/overlay.ts';
import { StatusLine } from './statusLine.tsx';
import { tableScreenStrings } from './strings.ts';

type Form = { name: string; title: ComponentChildren; note?: string; children: ComponentChildren };

/** A dialog over the terminal: from below on a phone. It keeps the focus, and gives it back when it is closed. */
export function SheetDialog({ name, title, note, children }: Form) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key: it is meant for the dialog, not for the table behind it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current!.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = (): void => void (overlay.value = null);
  return (
    <dialog
      ref={dialog}
      class={`sheet sheet-${name}`}
      aria-labelledby={`sheet-${name}`}
      data-testid={name}
      onClose={close}
      onClick={({ target }) => {
        // The veil around it is part of the dialog itself.
        if (target === dialog.current) close();
      }}
    >
      <StatusLine />
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
    </dialog>
  );
}
