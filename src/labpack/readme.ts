import { type ShuffleBatteryResult, hasShuffleBatteryPassed } from './battery.ts';
import { type ProgramIdentity, programDigest } from './digests.ts';

/** Command line options that repeat this run of the shuffle tests. */
const repeatOptions = ({ source, shoes }: ShuffleBatteryResult): string =>
  source === 'system' ? `--source system --shoes ${shoes}` : `--seed=${JSON.stringify(source.seed)} --shoes ${shoes}`;

/** README of the lab pack: its files, and how to reproduce each file. */
export function labPackReadme(battery: ShuffleBatteryResult, identity: ProgramIdentity): string {
  const { source, shoes, verdict } = battery;
  const isCheckout = identity.from === 'checkout';
  return `# Punto ${identity.version}, for a test lab

The documents that a lab asks for first. Each can be reproduced with the command in its row, without a network. Pages are plain HTML without scripts, and can be printed; each has its data as JSON.

| file | what it is | reproduced by |
|---|---|---|
| [par/index.html](par/index.html) | PAR sheets: every game with 4 to 10 decks, from exact counts over all deals, without simulation | \`punto odds --all --out DIR\`; a single sheet by \`punto odds tiger --decks 8 --html\` |
| [conformance.html](conformance.html), [.json](conformance.json) | all rows of the five rulebooks: what each requires in our words, the tests that show it, or why no program can; readings of unclear clauses and house procedures | \`npm test\` in a checkout runs all of them, and fails where a row has no test that passed |
| [shuffle.html](shuffle.html), [.json](shuffle.json) | ${verdict.findings.length} tests of the shuffle that deals virtual shoes and of its source, at 99 % with Holm's correction: ${hasShuffleBatteryPassed(battery) ? 'passed' : 'NOT passed'} | \`punto labpack ${repeatOptions(battery)} --out DIR\`${source === 'system' ? ' (other numbers each time)' : ''} |
| [digests.txt](digests.txt), [digests.json](digests.json) | the SHA-256 of every file of the program | \`sha256sum --check digests.txt\` in the folder of the program |
| [catalogue.html](catalogue.html), [.json](catalogue.json) | every event of the event log with its fields; every error code with its condition and its clauses | \`punto table --describe --json\` prints the JSON Schemas of the events of a table |

## The signature of the program

\`\`\`
sha256:${programDigest(identity)}
\`\`\`

This is the SHA-256 of \`digests.txt\`: one digest for the whole program. The list has ${identity.files.length} files, sorted by name; each has one line with digest, two spaces and name. ${
    isCheckout
      ? 'The list was made in a checkout: it holds the sources that run (bin, src, scripts/run.mjs, scripts/setup.mjs and scripts/runtime), the rulebook, the documentation, the example properties, the manifests and the lockfiles. Left out are tests, benches and other scripts, packages in node_modules, and screens in dist, which are built from these sources.'
      : 'The list was made in an installed package: it holds every file of the package. Packages in node_modules are left out.'
  } The packages that the program runs with are named in \`digests.json\`${isCheckout ? ' with the SHA-512 by which the lockfile pins each' : ' with their versions'}. A file that changes by one byte changes its line and the signature.

## Random numbers

The report covers the shuffle that every virtual table uses, with ${shoes.toLocaleString('en')} shoes of eight decks. ${
    source === 'system'
      ? 'Its 32-bit words came from the random source of the system, as at a floor.'
      : 'Its 32-bit words came from a seed, so that the run can be repeated to the digit; at a floor they come from the random source of the system, through the same functions. `punto labpack --source system` tests that source as it is.'
  } shuffle.html describes what is tested and how, and the exhaustive test of a small source. More shoes: \`--shoes 1e6\`.

## Outside this folder

- \`punto vectors --out DIR\` writes vectors that a program in any language can run: deals settled in all ten games, partial deals, exact counts, roads, hash chains and committed shoes.
- \`punto simulate tiger --rounds 1e8\` plays whole shoes and compares every outcome with its exact odds.
- \`punto verify --data DIR\` checks the event log of a floor; \`punto export\` writes it for independent programs.

Nothing here is an approval or a certificate: that is for a lab and a regulator to give.
`;
}
