import type { Language } from './language.ts';
import { type Rulebook } from '../../../games/rulebooks.ts';
import {
  type RulingEffect,
  type IrregularityKind,
  type RulingKind,
  irregularityKinds,
} from '../../../games/irregularities.ts';
import { assert } from '../../../base/assert.ts';

// Irregularities and their rulings as texts for patrons. The rulebook says which rulings and clauses apply.

type Texts = {
  readonly kinds: { readonly [K in IrregularityKind]: string };
  readonly rulings: { readonly [R in Exclude<RulingKind, 'note'>]: string };
  /**
   * Texts of rulings on one kind of irregularity. They replace the texts in `rulings`. The effect of `note` depends on
   * the irregularity, so `note` has texts only here.
   */
  readonly own: { readonly [K in IrregularityKind]?: { readonly [R in RulingKind]?: string } };
  /** Sentence that is added when the ruling locks the shoe. */
  readonly locked: string;
  /** Sentence that is added when the irregularity may also be reported after the settlement. */
  readonly afterSettlement: string;
};

const en: Texts = {
  kinds: {
    'foreign-card': 'A card that does not belong to the shoe',
    'extra-card': 'A duplicate card: more than the decks contain',
    'missing-card': 'A card is missing from the shoe',
    'unshuffled-cards': 'Cards that were not shuffled',
    'wrong-number': 'A hand with one card too many or too few',
    'drawn-together': 'Two of the first four cards came out together',
    'third-cards-together': 'Third cards came out together',
    'order-altered': 'The order of the shoe is disturbed or lost',
    'too-few-cards': 'Too few cards to finish the round',
    'face-up-before': 'A card is face up before the first card is dealt',
    'face-up-after': 'A card is face up after the first card was dealt',
    'wrong-order': 'Cards dealt to the wrong hand or position',
    'unreadable-card': 'A card that cannot be read',
    'mis-scan': 'A card that was scanned or entered wrongly',
    'cutting-card': 'The cutting card comes out',
    'cutting-card-missing': 'The cutting card is missing',
    'late-wager': 'A bet after the close',
    'raised-wager': 'A bet raised after the close',
    'withdrawn-wager': 'A bet withdrawn after the close',
    interruption: 'The table is interrupted for more than a moment',
    'terminals-lost': 'Terminals fail or lose their connection, but the table runs',
    'anything-else': 'Anything else',
  },
  rulings: {
    void: 'The round is void: all bets are returned, won or lost.',
    reconstruct: 'If the order of the cards is known, they are placed as they should have been dealt, and count.',
    restore: 'If the order can be restored, the round continues.',
    correct: 'The card is corrected, and the round is settled by the cards that were dealt.',
    enter: 'The card is entered by hand, and the round continues.',
    burn: 'The card is burned, and the round continues.',
    resume: 'If a bet on offer was already won or lost, the round is completed.',
    refer: 'The table waits until the shift manager has decided.',
  },
  own: {
    'face-up-after': { note: 'The card is dealt like any other.' },
    'cutting-card': { note: 'The round is completed; the shoe ends with it, or one round later.' },
    'late-wager': { note: 'The bet does not count.' },
    'raised-wager': { note: 'The increase does not count; the bet accepted before does.' },
    'withdrawn-wager': { note: 'The bet still counts.' },
    'terminals-lost': {
      note: 'The round continues. Bets that the server accepted before the close count, as said above.',
    },
    interruption: {
      enter: 'Cards that had left a live shoe are entered first.',
      void: 'If no bet on offer was won or lost yet, the round is void: all bets are returned.',
    },
  },
  locked: 'The shoe is replaced.',
  afterSettlement: 'This also applies after the result, until the next bets open.',
};

const zh: Texts = {
  kinds: {
    'foreign-card': '出现不属于本牌靴的牌',
    'extra-card': '某张牌多于牌副数',
    'missing-card': '牌靴缺牌',
    'unshuffled-cards': '牌未经洗匀',
    'wrong-number': '一手牌多发或少发',
    'drawn-together': '首四张牌中有牌一起抽出',
    'third-cards-together': '第三张牌一起抽出',
    'order-altered': '牌靴顺序被打乱或丢失',
    'too-few-cards': '余牌不足以完成本局',
    'face-up-before': '第一张牌发出前有牌面朝上',
    'face-up-after': '第一张牌发出后有牌面朝上',
    'wrong-order': '牌发到错误的一方或位置',
    'unreadable-card': '无法辨认的牌',
    'mis-scan': '牌被误读或误录',
    'cutting-card': '切牌卡出现',
    'cutting-card-missing': '切牌卡不见',
    'late-wager': '停止下注后的投注',
    'raised-wager': '停止下注后加注',
    'withdrawn-wager': '停止下注后撤回',
    interruption: '牌台中断超过片刻',
    'terminals-lost': '终端失灵或断线，而牌台正常',
    'anything-else': '其他情况',
  },
  rulings: {
    void: '该局作废：无论输赢，全部投注退还。',
    reconstruct: '能辨明牌序时，按应有的次序摆正，并以此为准。',
    restore: '顺序能够恢复时，该局继续。',
    correct: '更正该牌，按实际发出的牌结算。',
    enter: '人工录入该牌，该局继续。',
    burn: '该牌弃置，该局继续。',
    resume: '可下注的项目中已有一项分出输赢时，该局发完。',
    refer: '牌台暂停，由当值经理裁定。',
  },
  own: {
    'face-up-after': { note: '照常发出。' },
    'cutting-card': { note: '该局发完；牌靴随该局或再过一局结束。' },
    'late-wager': { note: '不计入该局。' },
    'raised-wager': { note: '加注不计入该局；此前已接受的投注有效。' },
    'withdrawn-wager': { note: '投注仍然有效。' },
    'terminals-lost': { note: '牌局继续。服务器在停止下注前已接受的投注有效，如上所述。' },
    interruption: {
      enter: '先录入已从实体牌靴抽出的牌。',
      void: '可下注的项目均未分出输赢时，该局作废：全部投注退还。',
    },
  },
  locked: '更换牌靴。',
  afterSettlement: '开出结果后、下一局下注前也适用。',
};

const all = { en, zh };

/** One irregularity as text: what happened, and what follows. */
export type IrregularityText = {
  readonly kind: IrregularityKind;
  readonly happened: string;
  /** Possible rulings, each with its clause. */
  readonly rulings: readonly { readonly text: string; readonly by: string }[];
};

const effectText = (kind: IrregularityKind, ruling: RulingKind, { shoe }: RulingEffect, t: Texts): string => {
  const text = t.own[kind]?.[ruling] ?? (ruling === 'note' ? undefined : t.rulings[ruling]);
  assert(text !== undefined, `${kind} has a text for ${ruling}`);
  return shoe === 'locked' ? `${text} ${t.locked}` : text;
};

export const irregularityTextsOf = ({ irregularities }: Rulebook, language: Language): readonly IrregularityText[] =>
  irregularityKinds.map((kind) => {
    const t = all[language];
    const { rulings, by, afterSettlement } = irregularities[kind];
    const rulingTexts = (Object.entries(rulings) as [RulingKind, RulingEffect][]).map(([ruling, effect]) => ({
      text: effectText(kind, ruling, effect, t),
      by: effect.by,
    }));
    return {
      kind,
      happened: t.kinds[kind],
      rulings: afterSettlement ? [...rulingTexts, { text: t.afterSettlement, by }] : rulingTexts,
    };
  });
