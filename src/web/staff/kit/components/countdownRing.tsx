type Time = {
  /** Milliseconds left, and the full duration in milliseconds. */
  readonly left: number;
  readonly total: number;
  readonly text: string;
  readonly label: string;
  readonly violet?: boolean;
};

const share = (left: number, total: number): number => Math.max(0, Math.min(100, (100 * left) / Math.max(1, total)));

export function Ring({ left, total, text, label, violet = false }: Time) {
  return (
    <span
      class={`ring${violet ? ' is-violet' : ''}`}
      style={{ '--v': share(left, total) }}
      role="timer"
      aria-label={label}
    >
      {text}
    </span>
  );
}

/** Betting countdown in the middle of the stage. */
export function Timer({
  left,
  total,
  text,
  unit,
  how = '',
}: {
  readonly left: number;
  readonly total: number;
  readonly text: string;
  readonly unit: string;
  readonly how?: '' | 'held' | 'soon';
}) {
  return (
    <div class={`timer ${how}`} style={{ '--v': share(left, total) }} role="timer" aria-label={`${text} ${unit}`}>
      <b>{text}</b>
      <small>{unit}</small>
    </div>
  );
}
