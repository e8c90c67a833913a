import { type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { StatusLine } from './statusLine.tsx';

type DialogProps = {
  /** Identifies it in tests; also its class and, with `-title`, the id of its heading, unless these are given. */
  readonly name: string;
  readonly class?: string;
  /** The id of the heading. */
  readonly titleId?: string;
  /** The accessible name where no heading gives it. */
  readonly label?: string;
  readonly role?: 'alertdialog';
  readonly close: () => void;
  readonly children: ComponentChildren;
};

/** Modal dialog: keeps the focus, closes on Escape or a click outside, and gives the focus back. */
export function Dialog({ name, class: kind = name, titleId, label, role, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect: the next key belongs to the dialog, not to the table behind it.
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
        // The backdrop is part of the dialog itself.
        if (target === dialog.current) close();
      }}
    >
      <StatusLine />
      {children}
    </dialog>
  );
}
