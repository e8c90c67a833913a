import { type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { DialogStatusLine } from './statusLine.tsx';

type DialogProps = {
  /**
   * The data-testid of the dialog. The default of `class` is `name`. The default of `titleId`, the ID of the heading,
   * is `name` followed by `-title`.
   */
  readonly name: string;
  readonly class?: string;
  readonly titleId?: string;
  /** The accessible name of a dialog without a heading. */
  readonly label?: string;
  readonly role?: 'alertdialog';
  readonly close: () => void;
  readonly children: ComponentChildren;
};

/**
 * Modal dialog: it keeps the focus while it is open. When it closes, the element that had the focus before gets the
 * focus back. Escape or a click outside closes the dialog.
 */
export function Dialog({ name, class: kind = name, titleId, label, role, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect runs before the next key event, so that the key goes to the dialog and not to the table behind it.
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
