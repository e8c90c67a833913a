import { appendFileSync, createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Auditor, type SentSlip } from './auditor.ts';
import { type MoneyRequest } from './patronMoney.ts';

/** What patrons ask and are told. */
export type Line =
  | { readonly slip: SentSlip }
  | { readonly id: string; readonly isAccepted: boolean }
  | { readonly cash: MoneyRequest }
  | { readonly id: string; readonly got: number | null }
  | 'gone';

/** The books of an auditor on paper, so that what is in memory is the floor's. */
export class AuditorFile {
  readonly #file: string;
  #lines: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  write(line: Line): void {
    this.#lines.push(JSON.stringify(line));
    if (this.#lines.length >= 1_000) this.flush();
  }

  flush(): void {
    appendFileSync(this.#file, this.#lines.map((line) => `${line}\n`).join(''));
    this.#lines = [];
  }

  /** An auditor who has read them. */
  async auditor(credit: number): Promise<Auditor> {
    this.flush();
    const auditor = new Auditor(() => credit);
    for await (const text of createInterface({ input: createReadStream(this.#file) })) {
      const line = JSON.parse(text) as Line;
      if (line === 'gone') auditor.gone();
      else if ('slip' in line) auditor.request(line.slip);
      else if ('cash' in line) auditor.cash.request(line.cash);
      else if ('got' in line) auditor.cash.answered(line.id, line.got === null ? null : { amount: line.got });
      else auditor.answered(line.id, line.isAccepted);
    }
    return auditor;
  }
}
