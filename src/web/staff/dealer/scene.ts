import { type ComponentChildren } from 'preact';
import { type LetterCommand, type Where } from '../kit/input/keyBindings.ts';
import { type Spec } from './formFields.ts';

/** What the console shows at a moment, and what keys and touches lead to. */
export type ConsoleScene = {
  readonly say: {
    readonly title: string;
    readonly why?: ComponentChildren;
    readonly by?: string | null;
    /** A table that stands still says so in orange. */
    readonly stop?: boolean;
    readonly tag?: string;
  };
  /** In the place of the hands. */
  readonly stage?: ComponentChildren;
  /** In the place of the pad. */
  readonly left?: ComponentChildren;
  /** Why no card can be entered, where the pad is locked. */
  readonly lockedBy?: { readonly text: string; readonly by?: string | null };
  readonly right: ComponentChildren;
  readonly keys: Keys;
  /** What the pad and the scanner give. */
  readonly card?: (card: string, how: 'keyed' | 'scanned') => void;
};

export type Keys = {
  readonly takes: Where['takes'];
  readonly next?: (() => void) | undefined;
  readonly back?: (() => void) | undefined;
  readonly escape?: (() => void) | undefined;
  readonly digit?: (digit: number) => void;
  readonly move?: (by: 1 | -1, carry: boolean) => void;
  /** Orders that mean something else here than elsewhere. */
  readonly orders?: { readonly [O in LetterCommand]?: () => void };
  readonly specs?: readonly Spec[];
  /** A letter was typed into them. */
  readonly filled?: () => void;
};
