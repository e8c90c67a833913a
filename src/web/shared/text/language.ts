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

/** True after the load event: the resources of the page are loaded, fonts only as far as they are in use. */
const isLoaded = signal(document.readyState === 'complete');
addEventListener('load', () => {
  isLoaded.value = true;
});

/** All text in a value; a function contributes its source. */
const textIn = (texts: unknown): string =>
  typeof texts === 'object' && texts !== null ? Object.values(texts).map(textIn).join('') : String(texts);

/**
 * Preloads fonts for Chinese text. They come in parts, loaded on first use of a character; a late part would shift the
 * layout, and without a connection it could not load at all.
 */
export function preloadChineseFont(texts: unknown, isShown = (): boolean => true): void {
  effect(() => {
    if (!isLoaded.value || !isShown()) return;
    // A part that cannot be loaded now is requested again when it is shown.
    document.fonts.load("1em 'Noto Sans SC Variable'", textIn(texts)).catch(() => undefined);
  });
}

/** Returns a getter for the strings of the current language. */
export function stringsFor<Strings>(all: { readonly [L in Language]: Strings }): () => Strings {
  preloadChineseFont(all.zh, () => language.value === 'zh');
  return () => all[language.value];
}

// Screen readers and font selection depend on the `lang` attribute.
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
