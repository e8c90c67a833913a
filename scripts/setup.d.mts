/** An entry of a lockfile, as far as an installation depends on it. */
type Entry = {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
};

export type Packages = { readonly [path: string]: Entry };
export type Scope = 'demo' | 'all';
export type Machine = { readonly os: string; readonly cpu: string; readonly libc: string };

export function isMadeFor(entry: Entry, on: Machine): boolean;

export function differences(
  locked: Packages,
  noted: Packages,
  exists: (path: string) => boolean,
  scope: Scope,
  on?: Machine,
): readonly string[];
