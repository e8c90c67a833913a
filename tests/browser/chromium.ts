import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LaunchOptions, chromium as playwright } from 'playwright-core';
import { type TestProject } from 'vitest/node';
import { ensureScreens } from '../../src/assets/ensureScreens.ts';
import { root } from '../architecture/sources.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one Chromium of a run listens. */
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
  // Nobody hears them.
  '--disable-audio-output',
];

/**
 * A Chromium for tests. On Linux it is the one inside the npm package, which brings its libraries and fonts, since a bare
 * machine has none of them; elsewhere PUNTO_CHROME names a browser, or else the installed Chrome is used.
 */
export async function chromium(): Promise<LaunchOptions> {
  const named = process.env['PUNTO_CHROME'];
  if (named !== undefined) return { executablePath: named, args };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args };
  const cache = join(root, 'node_modules', '.cache', 'chromium-153');
  mkdirSync(cache, { recursive: true });
  // The package unpacks itself into the temporary folder that it finds when it is loaded.
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = cache;
  const { default: packaged, inflate } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  const parts = join(root, 'node_modules', '@sparticuz', 'chromium', 'bin');
  if (!existsSync(join(cache, 'fonts'))) await inflate(join(parts, 'fonts.tar.br'));
  await inflate(join(parts, 'al2023.tar.br'));
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  // With no font configured nothing is drawn at all, not even fonts of the page.
  const fonts = join(cache, 'fonts.conf');
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${cache}/fonts</dir><cachedir>${cache}/fontcache</cachedir></fontconfig>`,
  );
  // Chromium leaves some of its temporary files behind, so it gets a folder of its own.
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

/** One Chromium for all tests of a run; each of them has a context of its own in it. The screens are built before any begins. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureScreens();
  const server = await playwright.launchServer(await chromium());
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
