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

/** Gives the words of the language in use, out of those of all. */
export const wordsIn =
  <Words>(all: { readonly [L in Language]: Words }) =>
  (): Words =>
    all[language.value];

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
