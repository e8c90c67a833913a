import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const mark = 'PUNTO_TEST_RUN';

/**
 * A temporary folder and an environment for one run, so that what it leaves behind is known apart from all else on the
 * machine: files by the folder, processes by a variable that children inherit, ports by those processes. Processes and
 * ports are found on Linux alone.
 */
export class Sandbox {
  readonly #id: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;

  /** A sandbox within another is a part of it: the outer one has its files and processes too. */
  constructor(outer?: Sandbox) {
    this.#id = `${outer ? outer.#id : ''}/${randomUUID()}`;
    this.folder = mkdtempSync(join(outer?.folder ?? tmpdir(), 'punto-'));
    this.env = { TMPDIR: this.folder, TEMP: this.folder, TMP: this.folder, [mark]: this.#id };
    // As the system's own: some tests run programs as another user, who has temporary files too.
    chmodSync(this.folder, 0o1777);
  }

  /** Clears the sandbox when a signal ends this process. */
  clearOnSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        this.clear();
        process.exit(128 + constants.signals[signal]);
      });
    }
  }

  /** A line for each temporary file and each process, with its ports. Processes that are ending get `waitMs` to do so. */
  async leftovers(waitMs: number): Promise<readonly string[]> {
    const deadline = Date.now() + waitMs;
    while (this.#processes().length > 0 && Date.now() < deadline) await setTimeout(100);
    return [
      ...(existsSync(this.folder) ? readdirSync(this.folder) : []).map(
        (name) => `temporary file ${join(this.folder, name)}`,
      ),
      ...this.#processes().map((pid) => `process ${pid} (${commandLineOf(pid)})${portsText(pid)}`),
    ];
  }

  /** Ends the processes that are left and removes the folder. */
  clear(): void {
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #processes(): readonly number[] {
    if (process.platform !== 'linux') return [];
    const own = `${mark}=${this.#id}`;
    const isOwn = (variable: string): boolean => variable === own || variable.startsWith(`${own}/`);
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid && isAlive(pid) && fileOf(pid, 'environ').split('\0').some(isOwn));
  }
}

/** A file of /proc about a process; empty where the process has ended or belongs to another user. */
function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** A zombie has ended and waits for its parent. */
const isAlive = (pid: number): boolean => !/^State:\s+Z/m.test(fileOf(pid, 'status'));

const commandLineOf = (pid: number): string => fileOf(pid, 'cmdline').split('\0').join(' ').trim().slice(0, 200);

function portsText(pid: number): string {
  const ports = portsOf(pid);
  return ports.length === 0 ? '' : ` that listens on port ${ports.join(', ')}`;
}

/** The TCP ports that a process listens on: state 0A in /proc/net/tcp, joined with its descriptors by inode. */
function portsOf(pid: number): readonly number[] {
  const inodes = new Set(descriptorsOf(pid).map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const rows = ['net/tcp', 'net/tcp6'].flatMap((name) => fileOf(pid, name).split('\n').slice(1));
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode))
    .map(([, address]) => Number.parseInt(address!.split(':')[1]!, 16));
}

function descriptorsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  } catch {
    return [];
  }
}
