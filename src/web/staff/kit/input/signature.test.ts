import { describe, expect, test } from 'vitest';
import {
  type SignatureDraft,
  signatureDraftAfterRefusal,
  deleteSignatureCharacter,
  editSignature,
  signatureDraftAfterEnter,
  emptySignatureDraft,
  typeSignatureCharacter,
} from './signature.ts';

/** Types keys into a form. `Enter` and `Backspace` are the names of keys; every other key is a character. */
const typed = (keys: readonly string[], from: SignatureDraft = emptySignatureDraft()): SignatureDraft =>
  keys.reduce((signature, key) => {
    if (key === 'Enter') return signatureDraftAfterEnter(signature) ?? signature;
    return key === 'Backspace' ? deleteSignatureCharacter(signature) : typeSignatureCharacter(signature, key);
  }, from);
const chars = (text: string): readonly string[] => Array.from(text);

describe('the form for staff number and PIN', () => {
  test('goes from the number to the PIN at Enter, and is complete after six digits', () => {
    const signature = typed([...chars('s-31'), 'Enter', ...chars('246810')]);
    expect(signature).toEqual({ number: 'S-31', pin: '246810', active: 'pin', hint: null });
    expect(signatureDraftAfterEnter(signature)).toBeNull();
  });

  test('never shows a PIN in the number field', () => {
    expect(typed(chars('246810'))).toEqual({ number: '', pin: '', active: 'number', hint: 'number-first' });
    expect(typed(chars('M1246810'))).toMatchObject({ number: '', hint: 'number-first' });
    expect(typed(chars('S-031246810'))).not.toMatchObject({ number: expect.stringMatching(/\d{4}/) });
    expect(editSignature(emptySignatureDraft(), 'number', '246810')).toMatchObject({ number: '', pin: '' });
  });

  test('goes back to a mistyped number by Backspace in an empty PIN', () => {
    const wrong = typed([...chars('s32'), 'Enter', '1']);
    expect(typed(['Backspace', 'Backspace'], wrong)).toMatchObject({ number: 'S32', pin: '', active: 'number' });
    expect(typed(['Backspace', 'Backspace', 'Backspace', '1', 'Enter'], wrong)).toMatchObject({
      number: 'S31',
      active: 'pin',
    });
  });

  test('says what is missing', () => {
    expect(typed(['Enter'])).toMatchObject({ active: 'number', hint: 'number-incomplete' });
    expect(typed([...chars('s'), 'Enter'])).toMatchObject({ active: 'number', hint: 'number-incomplete' });
    expect(typed([...chars('s1'), 'Enter', '2', 'Enter'])).toMatchObject({ active: 'pin', hint: 'pin-incomplete' });
    expect(typed([...chars('s1'), 'Enter', 'm'])).toMatchObject({ number: 'S1', pin: '', hint: 'digits-only' });
  });

  test.each([
    ['wrong-secret', { number: 'S1', active: 'pin' }],
    ['changed-proposal', { number: 'S1', active: 'pin' }],
    ['same-person', { number: '', active: 'number' }],
    ['not-your-role', { number: '', active: 'number' }],
    ['sign-in-locked', { number: '', active: 'number' }],
    ['other-console', { number: '', active: 'number' }],
  ])('after the refusal %s activates the field to correct, with an empty PIN', (code, expected) => {
    const signature = typed([...chars('s1'), 'Enter', ...chars('246810')]);
    expect(signatureDraftAfterRefusal(signature, code)).toEqual({ pin: '', hint: null, ...expected });
  });

  test('starts at the PIN when the number is known', () => {
    expect(emptySignatureDraft('S-1')).toEqual({ number: 'S-1', pin: '', active: 'pin', hint: null });
  });
});
