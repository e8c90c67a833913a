import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { type TLSSocket } from 'node:tls';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../../architecture/sources.ts';
import { type KeyAndCertificate, selfSignedCertificate } from '../../server/support/certificate.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto, puntoUntilOutput, stoppingLine } from '../support/punto.ts';
import { demoOf, started } from '../support/serverProcess.ts';

const folder = temporaryFolder('tls');

const property = join(folder, 'one.jsonc');
beforeAll(() => writeFileSync(property, demoOf('B01', 'L11')));

const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
const writeCertificate = (made: KeyAndCertificate): void => {
  writeFileSync(cert, made.cert);
  writeFileSync(key, made.key);
};
const day = 24 * 3_600_000;

test('serve refuses a wrong certificate or key with one sentence', async () => {
  const [made, other] = [selfSignedCertificate(), selfSignedCertificate()];
  const data = join(folder, 'none');
  const refusalText = async (certText: string | undefined, keyText: string | undefined): Promise<string> => {
    rmSync(cert, { force: true });
    rmSync(key, { force: true });
    if (certText !== undefined) writeFileSync(cert, certText);
    if (keyText !== undefined) writeFileSync(key, keyText);
    const { status, stdout, stderr } = await punto(['serve', '--data', data, '--cert', cert, '--key-file', key]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.split('\n')).toHaveLength(2);
    return stderr;
  };
  expect(await refusalText(undefined, made.key)).toMatch(
    /The certificate file .+ cannot be read \(ENOENT\); .+\(unreadable-file\)/,
  );
  expect(await refusalText(made.cert, undefined)).toMatch(
    /The key file .+ cannot be read \(ENOENT\); .+\(unreadable-file\)/,
  );
  expect(await refusalText('a certificate', made.key)).toMatch(
    /contains no certificate in PEM format; .+\(bad-certificate\)/,
  );
  expect(await refusalText(made.key, made.key)).toMatch(/contains no certificate in PEM format/);
  const damaged = made.cert.replace(/\n[^\n]{10}/, '\nAAAAAAAAAA');
  expect(await refusalText(damaged, made.key)).toMatch(/The certificate in .+ is damaged; .+\(bad-certificate\)/);
  expect(await refusalText(made.cert, 'a key')).toMatch(/contains no private key in PEM format; .+\(bad-certificate\)/);
  expect(await refusalText(made.cert, made.cert)).toMatch(/contains no private key in PEM format/);
  expect(await refusalText(made.cert, other.key)).toMatch(
    /The key in .+ does not belong to the certificate in .+\(bad-certificate\)/,
  );
  const locked = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n';
  expect(await refusalText(made.cert, locked)).toMatch(/is protected by a password, .+\(bad-certificate\)/);
  for (const args of [
    ['--cert', cert],
    ['--key-file', key],
  ]) {
    const { status, stderr } = await punto(['serve', '--data', data, ...args]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/give both --cert and --key-file\. \(missing-argument\)\n$/);
  }
});

test('serve warns of a certificate that is expired or not valid yet, and uses it', async () => {
  for (const [times, expectedText] of [
    [
      { from: Date.now() - 3 * day, to: Date.now() - day },
      /^punto: the certificate in .+ expired at .+; renew it\.\n$/,
    ],
    [{ from: Date.now() + day, to: Date.now() + 3 * day }, /^punto: the certificate in .+ is not valid before .+\.\n$/],
  ] as const) {
    writeCertificate(selfSignedCertificate(times));
    const data = join(folder, `dates-${times.from}`);
    const ran = await puntoUntilOutput([
      'serve',
      '--data',
      data,
      '--property',
      property,
      '--cert',
      cert,
      '--key-file',
      key,
    ]);
    expect(ran.stdout).toContain('is open at https://127.0.0.1:');
    expect(ran.stderr.replace(stoppingLine, '')).toMatch(expectedText);
  }
});

/** Certificate of a server, as seen by a client that trusts `ca`. */
function certificateOf(address: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(address, { ca, agent: false }, (answer) => {
      resolve((answer.socket as TLSSocket).getPeerCertificate().fingerprint256);
      answer.resume();
    }).on('error', reject);
  });
}

test('SIGHUP reloads the certificate, and keeps the old one when the new one is invalid', async () => {
  const [first, second] = [selfSignedCertificate(), selfSignedCertificate()];
  writeCertificate(first);
  const args = ['--data', join(folder, 'hup'), '--property', property, '--cert', cert, '--key-file', key];
  const { program, address, waitForOutput: expectedText } = await started([...args, '--host', '127.0.0.1']);
  const before = await certificateOf(address, first.cert);
  writeFileSync(cert, second.cert);
  program.kill('SIGHUP');
  await expectedText(
    /punto: The key in .+ does not belong to the certificate .+ The old certificate stays in use\. \(bad-certificate\)/,
  );
  expect(await certificateOf(address, first.cert)).toBe(before);
  writeFileSync(key, second.key);
  program.kill('SIGHUP');
  await expectedText(/punto: the certificate was reloaded/);
  expect(await certificateOf(address, second.cert)).not.toBe(before);
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
});

test('shoe connects over TLS to a trusted floor, and prints why it does not trust another', async () => {
  const made = selfSignedCertificate();
  writeCertificate(made);
  const data = join(folder, 'shoe');
  const firstRun = await puntoUntilOutput(['serve', '--data', data, '--property', property]);
  expect(firstRun.status).toBe(0);
  const enrolled = await punto(['enrol', '--data', data, '--as', 'shoe', 'L11']);
  const keyFile = join(folder, 'reader.txt');
  writeFileSync(keyFile, enrolled.stdout);
  const args = ['--data', data, '--property', property, '--cert', cert, '--key-file', key];
  const { address, output } = await started(args);
  expect(address, enrolled.stderr + output()).not.toBe('');
  const shoe = (env: { readonly [name: string]: string }) => {
    const shoeArgs = ['shoe', '--table', 'L11', '--url', address, '--key', keyFile];
    const program = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...shoeArgs], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    onTestFinished(() => void program.kill('SIGKILL'));
    return program;
  };
  const untrusting = shoe({});
  const [why] = (await once(untrusting.stderr, 'data')) as [Buffer];
  expect(why.toString('utf8')).toBe(
    'punto: the connection to the floor is lost (DEPTH_ZERO_SELF_SIGNED_CERT); reconnecting.\n',
  );
  untrusting.kill('SIGKILL');
  const trusting = shoe({ NODE_EXTRA_CA_CERTS: cert });
  trusting.stdin.end('8H\n');
  const [answer] = (await once(trusting.stdout, 'data')) as [Buffer];
  // No dealer is at the table yet, so the answer came from the floor.
  expect(JSON.parse(answer.toString('utf8'))).toMatchObject({ error: { code: 'no-dealer' } });
});
