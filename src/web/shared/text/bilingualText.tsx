import { language } from './language.ts';

/** A text in both languages on an English screen, and only in Chinese on a Chinese screen. */
export function BilingualText({ en, zh }: { readonly en: string; readonly zh: string }) {
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
