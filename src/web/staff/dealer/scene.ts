import { type ComponentChildren } from 'preact';
import { type LetterCommand, type Where } from '../kit/input/keyBindings.ts';
import { type Spec } from './formFields.ts';

/** What the console shows at a moment, and what keys and touches do. */
export type ConsoleScene = {
  readonly say: {
    readonly title: string;
    readonly why?: ComponentChildren;
    readonly by?: string | null;
    /** Orange: the table is stopped. */
    readonly stop?: boolean;
    readonly tag?: string;
  };
  /** Replaces the hands. */
  readonly stage?: ComponentChildren;
  /** Replaces the card pad. */
  readonly left?: ComponentChildren;
  /** Reason why the card pad is locked. */
  readonly lockedBy?: { readonly text: string; readonly by?: string | null };
  readonly right: ComponentChildren;
  readonly keys: Keys;
  /** Called with a card from the pad, the keys or the scanner. */
  readonly card?: (card: string, how: 'keyed' | 'scanned') => void;
};

export type Keys = {
  readonly takes: Where['takes'];
  readonly next?: (() => void) | undefined;
  readonly back?: (() => void) | undefined;
  readonly escape?: (() => void) | undefined;
  readonly digit?: (digit: number) => void;
  readonly move?: (by: 1 | -1, carry: boolean) => void;
  /** Shortcuts that differ from the default in this scene. */
  readonly orders?: { readonly [O in LetterCommand]?: () => void };
  readonly specs?: readonly Spec[];
  /** Called after a character was typed into a field. */
  readonly filled?: () => void;
};
