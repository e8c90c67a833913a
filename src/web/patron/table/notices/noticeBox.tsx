import { type ComponentChildren } from 'preact';
import { Icon, type IconName } from '../../../shared/widgets/icons.tsx';
import { tableScreenStrings } from '../strings.ts';

type Form = {
  icon: IconName;
  title: string;
  mark: string;
  role: 'alert' | 'status';
  testid: string;
  children: ComponentChildren;
  close?: () => void;
};

/** Box of a notice: icon, title, text and, if it can be closed, a close button. */
export function NoticeBox({ icon, title, mark, role, testid, children, close }: Form) {
  return (
    <div class={`notice notice-${mark}`} role={role} data-testid={testid}>
      <Icon name={icon} />
      <div class="notice-body">
        <h2>{title}</h2>
        {children}
      </div>
      {close && (
        <button type="button" class="key key-icon notice-close" aria-label={tableScreenStrings().close} onClick={close}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
