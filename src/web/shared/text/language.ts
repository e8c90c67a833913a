import { effect, signal } from '@preact/signals';

export type Language = 'en' | 'zh';
const storedLanguage = (): Language => {
  try {
    return localStorage.getItem('punto.language') === 'zh' ? 'zh' : 'en';
  } catch {
    return 'en';
  }
};

export const language = signal<Language>(storedLanguage());

/** True after the load event of the page. Fonts are preloaded after that event, so that they do not delay the page. */
const isLoaded = signal(document.readyState === 'complete');
addEventListener('load', () => {
  isLoaded.value = true;
});

/** All text in an object of strings and functions. The text of a function is its source code. */
const textIn = (texts: unknown): string =>
  typeof texts === 'object' && texts !== null ? Object.values(texts).map(textIn).join('') : String(texts);

/**
 * Preloads the parts of the Chinese font that these texts need, as soon as `isShown` is true. Otherwise the browser
 * would load a part only when a text needs it: the layout would shift, or the part would be missing without a
 * connection.
 */
export function preloadChineseFont(texts: unknown, isShown = (): boolean => true): void {
  effect(() => {
    if (!isLoaded.value || !isShown()) return;
    // If a part cannot be loaded now, the browser requests it again when a text needs it.
    document.fonts.load("1em 'Noto Sans SC Variable'", textIn(texts)).catch(() => undefined);
  });
}

export function createStringsGetter<Strings>(all: { readonly [L in Language]: Strings }): () => Strings {
  preloadChineseFont(all.zh, () => language.value === 'zh');
  return () => all[language.value];
}

// Screen readers and the choice of fonts depend on the `lang` attribute of the page.
effect(() => {
  document.documentElement.lang = language.value === 'en' ? 'en' : 'zh-Hans';
});

export function switchLanguage(): void {
  language.value = language.value === 'en' ? 'zh' : 'en';
  try {
    localStorage.setItem('punto.language', language.value);
  } catch {
    // If the browser has no storage, the choice is lost when the page is closed.
  }
}
