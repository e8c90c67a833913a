import { type ComponentChildren } from 'preact';
import { type Shortcut, type KeyContext } from '../kit/input/keyBindings.ts';
import { type FieldSpec } from './formFields.ts';

/** Scene of the dealer console: what it shows, and what keys and touches do. */
export type ConsoleScene = {
  readonly prompt: {
    readonly title: string;
    readonly reason?: ComponentChildren;
    readonly by?: string | null;
    /** True while the table is stopped: the prompt is orange. */
    readonly isStopped?: boolean;
    readonly tag?: string;
  };
  /** Replaces the hands. */
  readonly stage?: ComponentChildren;
  /** Replaces the card pad. */
  readonly left?: ComponentChildren;
  /** Reason why the card pad is locked. */
  readonly lockedBy?: { readonly text: string; readonly by?: string | null };
  readonly right: ComponentChildren;
  readonly keys: SceneKeys;
  /** Called with a card from the pad, the keys or the scanner. */
  readonly onCard?: (card: string, source: 'keyed' | 'scanned') => void;
};

export type SceneKeys = {
  readonly expects: KeyContext['expects'];
  readonly next?: (() => void) | undefined;
  readonly back?: (() => void) | undefined;
  readonly escape?: (() => void) | undefined;
  readonly digit?: (digit: number) => void;
  readonly move?: (by: 1 | -1, carry: boolean) => void;
  /** Shortcuts that differ from the default in this scene. */
  readonly shortcuts?: { readonly [O in Shortcut]?: () => void };
  readonly specs?: readonly FieldSpec[];
  /** Called after a character was typed into a field. */
  readonly onTyped?: () => void;
};
