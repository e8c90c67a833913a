import { appendFileSync, createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Auditor, type SentSlip } from './auditor.ts';
import { type MoneyRequest } from '../patrons/patronMoney.ts';

/** A request or reply of a patron. */
export type AuditorRecord =
  | { readonly slip: SentSlip }
  | { readonly id: string; readonly isAccepted: boolean }
  | { readonly cash: MoneyRequest }
  | { readonly id: string; readonly got: number | null }
  | 'gone';

/** Keeps an auditor's records in a file, so that the heap has only the floor's data. */
export class AuditorFile {
  readonly #file: string;
  #lines: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  write(record: AuditorRecord): void {
    this.#lines.push(JSON.stringify(record));
    if (this.#lines.length >= 1_000) this.flush();
  }

  flush(): void {
    appendFileSync(this.#file, this.#lines.map((record) => `${record}\n`).join(''));
    this.#lines = [];
  }

  /** An auditor with all records of the file. */
  async auditor(credit: number): Promise<Auditor> {
    this.flush();
    const auditor = new Auditor(() => credit);
    for await (const text of createInterface({ input: createReadStream(this.#file) })) {
      const record = JSON.parse(text) as AuditorRecord;
      if (record === 'gone') auditor.recordFloorStop();
      else if ('slip' in record) auditor.recordRequest(record.slip);
      else if ('cash' in record) auditor.money.recordRequest(record.cash);
      else if ('got' in record)
        auditor.money.recordReply(record.id, record.got === null ? null : { amount: record.got });
      else auditor.recordReply(record.id, record.isAccepted);
    }
    return auditor;
  }
}
