import { createStringsGetter } from '../../shared/text/language.ts';
import { type DealerStrings, en } from './strings/en.ts';
import { zh } from './strings/zh.ts';

export const dealerStrings = createStringsGetter<DealerStrings>({ en, zh });
