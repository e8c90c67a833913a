import { language } from './language.ts';

/** On an English screen the Chinese words stand behind the English ones; a Chinese screen is Chinese alone. */
export function Bi({ en, zh }: { readonly en: string; readonly zh: string }) {
  if (language.value === 'zh') {
    return (
      <span class="bi">
        <span class="bi-1">{zh}</span>
      </span>
    );
  }
  return (
    <span class="bi">
      <span class="bi-1">{en}</span>{' '}
      <span class="bi-2" lang="zh-Hans">
        {zh}
      </span>
    </span>
  );
}
