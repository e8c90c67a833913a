import { type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { StatusLine } from './statusLine.tsx';

type Form = {
  /** What it is known by: its class, and the id of its title. */
  readonly name: string;
  readonly role?: 'alertdialog';
  readonly close: () => void;
  readonly children: ComponentChildren;
};

/** A dialog over whatever is there. It keeps the focus, is closed by Escape, and gives the focus back. */
export function Dialog({ name, role, close, children }: Form) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key: it is meant for the dialog, not for the table behind it.
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
      class={name}
      {...(role && { role })}
      aria-labelledby={`${name}-title`}
      data-testid={name}
      onClose={close}
      onClick={({ target }) => {
        // The veil around it is part of the dialog itself.
        if (target === dialog.current) close();
      }}
    >
      <StatusLine />
      {children}
    </dialog>
  );
}
