type Props = {
  readonly leftMs: number;
  readonly totalMs: number;
  readonly text: string;
  readonly label: string;
};

const percentLeft = (leftMs: number, totalMs: number): number =>
  Math.max(0, Math.min(100, (100 * leftMs) / Math.max(1, totalMs)));

export function ApprovalCountdown({ leftMs, totalMs, text, label }: Props) {
  return (
    <span class="ring is-violet" style={{ '--v': percentLeft(leftMs, totalMs) }} role="timer" aria-label={label}>
      {text}
    </span>
  );
}

export function BettingCountdown({
  leftMs,
  totalMs,
  text,
  unit,
  tone = '',
}: {
  readonly leftMs: number;
  readonly totalMs: number;
  readonly text: string;
  readonly unit: string;
  readonly tone?: '' | 'paused' | 'soon';
}) {
  return (
    <div
      class={`timer ${tone}`}
      style={{ '--v': percentLeft(leftMs, totalMs) }}
      role="timer"
      aria-label={`${text} ${unit}`}
    >
      <b>{text}</b>
      <small>{unit}</small>
    </div>
  );
}
