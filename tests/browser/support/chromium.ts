import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LaunchOptions, chromium as playwright } from 'playwright-core';
import { type TestProject } from 'vitest/node';
import { ensureScreens } from '../../../src/assets/ensureScreens.ts';
import { root } from '../../architecture/sources.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket endpoint of the one Chromium of a run. */
    chromium: string;
  }
}

const args = [
  '--no-sandbox',
  '--font-render-hinting=none',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--disable-audio-output',
];

/**
 * A Chromium for tests. On Linux it comes from an npm package with its libraries and fonts, because a bare machine has
 * none of them. Elsewhere PUNTO_CHROME names a browser; the default is the installed Chrome.
 */
export async function chromium(): Promise<LaunchOptions> {
  const named = process.env['PUNTO_CHROME'];
  if (named !== undefined) return { executablePath: named, args };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args };
  const cache = join(root, 'node_modules', '.cache', 'chromium-153');
  mkdirSync(cache, { recursive: true });
  // The package reads TMPDIR when it is loaded and unpacks itself there.
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = cache;
  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  const parts = join(root, 'node_modules', '@sparticuz', 'chromium', 'bin');
  if (!existsSync(join(cache, 'fonts'))) await inflate(join(parts, 'fonts.tar.br'));
  await inflate(join(parts, 'al2023.tar.br'));
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  // Without a font configuration nothing is drawn, not even fonts of the page.
  const fonts = join(cache, 'fonts.conf');
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${cache}/fonts</dir><cachedir>${cache}/fontcache</cachedir></fontconfig>`,
  );
  // Chromium leaves temporary files behind, so it gets its own folder.
  const temporary = mkdtempSync(join(tmpdir(), 'punto-chromium-'));
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(cache, 'al2023', 'lib'),
    FONTCONFIG_FILE: fonts,
    TMPDIR: temporary,
  };
  return { executablePath, args, env };
}

/** One Chromium for all tests of a run, each in its own context. The screens are built before the first test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureScreens();
  const server = await playwright.launchServer(await chromium());
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
