import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type TerminalRulingRow } from '../../../../../wire/staff/supervisorView.ts';
import { visibleRowRange } from './terminalRows.ts';

const rowHeightRem = 1.95;

type Props = {
  readonly rows: readonly TerminalRulingRow[];
  readonly renderRow: (row: TerminalRulingRow) => ComponentChildren;
  readonly label: string;
};

/** Virtual list: only the rows in and near the viewport are drawn. */
export function VirtualList({ rows, renderRow, label }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState({ top: 0, height: 600, row: 27 });
  const measure = (): void => {
    const { scrollTop, clientHeight } = box.current!;
    const row = rowHeightRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    setViewport({ top: scrollTop, height: clientHeight, row });
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const { from, to } = visibleRowRange(rows.length, viewport);
  return (
    <div ref={box} class="rows" tabIndex={0} role="group" aria-label={label} onScroll={measure} data-testid="rows">
      <div class="spacer" style={{ height: `${from * rowHeightRem}rem` }} />
      {rows.slice(from, to).map((row) => (
        <Fragment key={row.terminal}>{renderRow(row)}</Fragment>
      ))}
      <div class="spacer" style={{ height: `${Math.max(0, rows.length - to) * rowHeightRem}rem` }} />
    </div>
  );
}
