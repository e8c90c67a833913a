import { kitStrings } from '../text/strings.ts';

type Props = {
  readonly press: (char: string) => void;
  readonly back: () => void;
  readonly ok?: (() => void) | undefined;
  /** Adds the first letters of staff numbers, such as D for D-214. */
  readonly letters?: boolean;
  /** Adds a decimal point, for amounts. */
  readonly point?: boolean;
};

/** First letters of staff numbers, such as D for a dealer. */
const roleLetters = ['D', 'S', 'M', 'G', 'C', 'T', 'A', 'N'];

export function Keypad({ press, back, ok, letters = false, point = false }: Props) {
  const t = kitStrings().keypad;
  const key = (char: string) => (
    <button key={char} type="button" class="btn" data-char={char} onClick={() => press(char)}>
      {char}
    </button>
  );
  return (
    <div class={`keypad${letters ? ' has-letters' : ''}`} role="group" aria-label={t.label}>
      {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(key)}
      <button type="button" class="btn" data-char="back" onClick={back}>
        {t.back}
      </button>
      {key('0')}
      {ok ? (
        <button type="button" class="btn act" data-char="ok" onClick={ok}>
          {t.ok}
        </button>
      ) : point ? (
        key('.')
      ) : (
        key('-')
      )}
      {letters && <div class="letters">{roleLetters.map(key)}</div>}
    </div>
  );
}
