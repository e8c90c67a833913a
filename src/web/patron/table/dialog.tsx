import { type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { DialogStatusLine } from './statusLine.tsx';

type DialogProps = {
  /** The data-testid; also its class and, with `-title`, the ID of its heading, unless these are given. */
  readonly name: string;
  readonly class?: string;
  readonly titleId?: string;
  /** The accessible name if no heading gives it. */
  readonly label?: string;
  readonly role?: 'alertdialog';
  readonly close: () => void;
  readonly children: ComponentChildren;
};

/** Modal dialog: keeps the focus, closes on Escape or a click outside, and gives the focus back. */
export function Dialog({ name, class: kind = name, titleId, label, role, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect runs before the next key event, so the key goes to the dialog and not to the table behind it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current!.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      {...(role && { role })}
      {...(label === undefined ? { 'aria-labelledby': titleId ?? `${name}-title` } : { 'aria-label': label })}
      data-testid={name}
      onClose={close}
      onClick={({ target }) => {
        // A click on the backdrop has the dialog itself as its target.
        if (target === dialog.current) close();
      }}
    >
      <DialogStatusLine />
      {children}
    </dialog>
  );
}
