import { wordsIn } from '../../shared/language.ts';
import { type Words, en } from './words/en.ts';
import { zh } from './words/zh.ts';

/** The words of the language in use. */
export const words = wordsIn<Words>({ en, zh });
