import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { OperatorWarning } from '../../runtime/terminals/secretBindings.ts';
import { WriteResultUnknownError } from '../../store/store.ts';
import { DatabaseUnavailableError } from '../../store/failures.ts';
import { createServerLog } from './serverLog.ts';
import { CliError } from './cliError.ts';

function captureOutput() {
  const chunks: string[] = [];
  const errors = new Writable({
    decodeStrings: false,
    write: (part: string, _, done) => {
      chunks.push(part);
      done();
    },
  });
  const text = () => chunks.join('');
  const lines = () =>
    text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly [field: string]: unknown });
  return { errors, text, lines };
}

const failure = Object.assign(new Error('disk I/O error', { cause: new Error('no room') }), { code: 'ENOSPC' });

test('the JSON log writes each kind of line with level, time, event and message', () => {
  const { errors, lines } = captureOutput();
  const log = createServerLog('json', errors);
  log.started('The floor of house', 'https://10.0.0.1:2026/');
  log.outage({ state: 'begun', error: failure, durationMs: 0, failures: 1, failing: ['table B01'] });
  log.outage({ state: 'over', error: failure, durationMs: 4_000, failures: 9, failing: [] });
  log.error('table B01', failure);
  log.clockJumped({ from: 0, to: 3_600_000 });
  log.signInsFailed({ 'wrong-secret': 2 });
  log.warn('the certificate has expired.');
  log.lines.write('a.jsonc:1:2: wrong\nb.jsonc:3:4: wrong\n');
  log.stopping('SIGTERM', true);
  log.ended();
  expect(log.refused(new CliError(1, 'data-in-use', 'Another program runs there.'))).toBe(1);
  expect(log.refused(new TypeError('ours'))).toBe(1);
  const entries = lines();
  for (const line of entries)
    expect(line).toMatchObject({ time: expect.stringMatching(/Z$/), msg: expect.any(String) });
  expect(entries.map(({ level, event }) => [level, event].join(' '))).toEqual([
    'info started',
    'error outage',
    'info outage',
    'error problem',
    'warn clock',
    'warn sign-ins-failed',
    'warn warning',
    'error mistake',
    'error mistake',
    'info stopping',
    'info ended',
    'fatal refused',
    'fatal refused',
  ]);
  expect(entries[1]).toMatchObject({
    state: 'begun',
    failing: ['table B01'],
    error: { type: 'Error', message: 'disk I/O error', code: 'ENOSPC', cause: { message: 'no room' } },
  });
  expect(entries[4]).toMatchObject({ from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T01:00:00.000Z' });
  expect(entries[9]).toMatchObject({
    signal: 'SIGTERM',
    msg: 'no more bets are accepted; rounds in play are completed or handed over to another node',
  });
  expect(entries[11]).toMatchObject({ code: 'data-in-use', msg: 'Another program runs there.' });
  expect(entries[12]).toMatchObject({ code: 'broken', error: { type: 'TypeError', message: 'ours' } });
});

test('the text log writes sentences and throws a refusal', () => {
  const { errors, text } = captureOutput();
  const log = createServerLog(undefined, errors);
  log.started('The floor of house', 'http://127.0.0.1:2026/');
  log.warn('others can reach it.');
  log.signInsFailed({ 'wrong-secret': 2, 'sign-in-locked': 1 });
  log.stopping('SIGINT', false);
  log.ended();
  expect(text()).toBe(
    'punto: others can reach it.\npunto: 3 staff sign-ins failed (wrong-secret 2, sign-in-locked 1).\n' +
      'punto: SIGINT received: no more bets are accepted; rounds in play are completed.\n',
  );
  expect(() => log.refused(failure)).toThrow(failure);
});

test.each(['text', 'json'])('the log redacts a secret in an error (%s)', (format) => {
  const { errors, text } = captureOutput();
  const log = createServerLog(format, errors);
  const [secret, ticket] = ['0123456789abcdef'.repeat(4), '123456789012345678'];
  const error = new Error(`a row with ${secret}`, { cause: new Error(`the ticket ${ticket}`) });
  log.error('a slip', error);
  log.outage({ state: 'lasting', error, durationMs: 1, failures: 2, failing: [`T-${secret}`] });
  log.warn(`${ticket} ${secret.toUpperCase()}`);
  expect(text().match(/\[hidden\]/g)!.length).toBeGreaterThanOrEqual(7);
  for (const hidden of [secret, secret.toUpperCase(), ticket]) expect(text()).not.toContain(hidden);
});

test('the JSON log leaves out extra fields of an error', () => {
  const { errors, text, lines } = captureOutput();
  const log = createServerLog('json', errors);
  log.error('a page', Object.assign(new Error('no'), { pin: '246810', request: { password: 'open sesame 12' } }));
  expect(text()).not.toMatch(/246810|sesame/);
  log.error('a page', 'thrown as a text');
  expect(lines()[1]).toMatchObject({ error: { type: 'string', message: "'thrown as a text'" } });
});

test('the text log writes an outage of the store as one line', () => {
  const { errors, text } = captureOutput();
  const log = createServerLog('text', errors);
  const error = new DatabaseUnavailableError('The database does not answer.');
  log.outage({ state: 'begun', error, durationMs: 0, failures: 1, failing: ['table B01'] });
  log.outage({ state: 'over', error, durationMs: 2_000, failures: 3, failing: [] });
  expect(text()).toBe(
    'punto: writing fails for table B01; Punto retries until it works: The database does not answer.\n' +
      'punto: writing works again after 2.0 s; before that it failed 3 times, the last time with The database does not answer.\n',
  );
});

test('an unknown log format is refused', () => {
  expect(() => createServerLog('xml', captureOutput().errors)).toThrow('--log is "xml"; write text or json.');
});

test('an operational failure is logged without a stack trace', () => {
  const { errors, lines } = captureOutput();
  const log = createServerLog('json', errors);
  log.error('node connections', new OperatorWarning('The connection to node a has ended.'));
  log.error('table B01', failure);
  log.error('table B01', new WriteResultUnknownError('It is not known.', { cause: new Error('no answer') }));
  log.outage({
    state: 'begun',
    error: new DatabaseUnavailableError('The database does not answer.'),
    durationMs: 0,
    failures: 1,
    failing: ['table B01'],
  });
  const [found, broken, unknown, away] = lines();
  expect(unknown).toMatchObject({ error: { message: 'It is not known.', cause: { message: 'no answer' } } });
  expect(away).toMatchObject({ error: { type: 'DatabaseUnavailableError', message: 'The database does not answer.' } });
  expect(JSON.stringify([unknown, away])).not.toContain('stack');
  expect(found).toMatchObject({ error: { type: 'OperatorWarning', message: 'The connection to node a has ended.' } });
  expect(found!['error']).not.toHaveProperty('stack');
  expect(broken!['error']).toHaveProperty('stack');
});
