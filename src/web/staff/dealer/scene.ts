import { type ComponentChildren } from 'preact';
import { type ConsoleShortcutName, type KeyContext } from '../kit/input/keyBindings.ts';
import { type FieldSpec } from './formFields.ts';

/** One state of the dealer console: what it shows, and what keys and touches do. */
export type ConsoleScene = {
  readonly prompt: {
    readonly title: string;
    readonly reason?: ComponentChildren;
    readonly by?: string | null;
    /** True when the table is stopped; the prompt is then orange. */
    readonly isStopped?: boolean;
    readonly tag?: string;
  };
  /** Content of the stage in place of the two hands. */
  readonly stage?: ComponentChildren;
  /** Content on the left in place of the card pad. */
  readonly left?: ComponentChildren;
  /** Why the card pad is locked. `by` is the clause that locks it. */
  readonly lockedBy?: { readonly text: string; readonly by?: string | null };
  readonly right: ComponentChildren;
  readonly keys: SceneKeys;
  /** Called with a card from the pad, the keys or the scanner. Without this function the card pad is locked. */
  readonly onCard?: (card: string, source: 'keyed' | 'scanned') => void;
};

export type SceneKeys = {
  readonly expects: KeyContext['expects'];
  readonly next?: (() => void) | undefined;
  readonly back?: (() => void) | undefined;
  readonly escape?: (() => void) | undefined;
  readonly digit?: (digit: number) => void;
  readonly move?: (by: 1 | -1, carry: boolean) => void;
  /** Actions of shortcuts in this scene. They replace the default actions of the same shortcuts. */
  readonly shortcuts?: { readonly [O in ConsoleShortcutName]?: () => void };
  readonly specs?: readonly FieldSpec[];
  readonly onTyped?: () => void;
  /** Called with each typed character. Without this function the character goes to the active field of `specs`. */
  readonly onChar?: (char: string) => void;
  readonly onTab?: () => void;
  /** Called with each scanned text. Without this function the text goes to the active field of `specs`. */
  readonly onScan?: (text: string) => void;
};
