import { effect, signal } from '@preact/signals';

export type Language = 'en' | 'zh';
const remembered = (): Language => {
  try {
    return localStorage.getItem('punto.language') === 'zh' ? 'zh' : 'en';
  } catch {
    return 'en';
  }
};

export const language = signal<Language>(remembered());

/** Everything that the page itself names is there, fonts as far as they are shown. */
const isLoaded = signal(document.readyState === 'complete');
addEventListener('load', () => {
  isLoaded.value = true;
});

/** All that words say; a function says what is written in it. */
const textIn = (words: unknown): string =>
  typeof words === 'object' && words !== null ? Object.values(words).map(textIn).join('') : String(words);

/**
 * Has fonts there for Chinese words before they are shown: they come in parts when one of their letters is, which moves
 * what stands beside it, and without a link they could not come.
 */
export function haveLetters(words: unknown, isShown = (): boolean => true): void {
  effect(() => {
    if (!isLoaded.value || !isShown()) return;
    // What cannot be loaded now is asked for again when it is shown.
    document.fonts.load("1em 'Noto Sans SC Variable'", textIn(words)).catch(() => undefined);
  });
}

/** Gives the words of the language in use, out of those of all. */
export function stringsFor<Words>(all: { readonly [L in Language]: Words }): () => Words {
  haveLetters(all.zh, () => language.value === 'zh');
  return () => all[language.value];
}

// The page is in a language from its first word on: for those who read it out, and for fonts.
effect(() => {
  document.documentElement.lang = language.value === 'en' ? 'en' : 'zh-Hans';
});

export function switchLanguage(): void {
  language.value = language.value === 'en' ? 'zh' : 'en';
  try {
    localStorage.setItem('punto.language', language.value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
