import { resolve } from 'node:path';
import { systemChance } from '../floor/chance.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../floor/demo.ts';
import { keyIn } from '../floor/seal.ts';
import { quoted } from '../rules/refusal.ts';
import { screens } from '../server/assets.ts';
import { usualLimits } from '../server/limits.ts';
import { startServer } from '../server/server.ts';
import { NewerRecord } from '../store/migrations.ts';
import { DataInUse, sqliteStore } from '../store/sqlite.ts';
import { type Command, textOf } from './command.ts';
import { print } from './print.ts';
import { Stop } from './stop.ts';

const usualHost = '127.0.0.1';
const usualData = 'data';

export const serve: Command = {
  name: 'serve',
  summary: 'Run the demo floor: ten tables that deal by themselves, and a page to play at.',
  help: `Usage: punto serve [--port N] [--host H] [--data DIR]

  --port N     the port, 1 to 65535; a free one unless given
  --host H     the address to listen at; ${usualHost} unless given, so that only this machine can reach it
  --data DIR   the folder of the record; \`${usualData}\` in the working directory unless given. The key that seals the
               order of undealt cards lies beside it, as DIR.key
Prints one line with the address. Everything that is shown or paid is in the record first: whatever ends the program, a
start on the same folder goes on where it stood. SIGTERM or Ctrl-C deals open rounds to their end and closes.`,
  options: { port: { type: 'string' }, host: { type: 'string' }, data: { type: 'string' } },
  mostArguments: 0,
  run: async (values) => {
    const port = portIn(textOf(values, 'port'));
    const host = textOf(values, 'host') ?? usualHost;
    const data = resolve(textOf(values, 'data') ?? usualData);
    const built = await screens();
    const store = await usable(data, () => sqliteStore(data));
    const key = await usable(data, () => keyIn(`${data}.key`));
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
    const server = await startServer({
      store,
      key,
      chance: systemChance,
      owner: demoOwner,
      settings: demoSettings,
      pace: demoPace,
      credit: demoCredit,
      limits: usualLimits,
      screens: built,
      host,
      port,
      trouble: (what, error) => process.stderr.write(`punto: trouble at ${what}: ${quoted(String(error))}\n`),
    }).catch(async (error: unknown) => {
      await store.close();
      throw addressTaken(error, host, port);
    });
    print(`Punto's demo floor is open at ${server.address}`);
    if (!stop.signal.aborted) await new Promise((done) => stop.signal.addEventListener('abort', done));
    await server.close();
    return 0;
  },
};

function portIn(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new Stop(2, 'malformed-argument', `--port is ${quoted(text)}; write a whole number from 1 to 65535.`);
}

/** A part of the data, or why it cannot be used. */
async function usable<T>(folder: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof DataInUse) throw new Stop(1, 'data-in-use', error.message);
    if (error instanceof NewerRecord) throw new Stop(1, 'newer-record', error.message);
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new Stop(1, 'unusable-data', `The data folder ${folder} cannot be used (${why}); name another.`);
  }
}

/** An address that cannot be had is the asker's matter; anything else is ours. */
function addressTaken(error: unknown, host: string, port: number): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const where = port === 0 ? host : `${host} port ${port}`;
  return new Stop(1, 'address-unavailable', `The address ${where} cannot be had (${code}); choose another.`);
}
