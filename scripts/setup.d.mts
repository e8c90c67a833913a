type Packages = {
  readonly [path: string]: { readonly version: string; readonly integrity?: string; readonly optional?: boolean };
};

export function isComplete(
  wanted: Packages,
  noted: Packages,
  isThere: (path: string) => boolean,
  needed?: string,
): boolean;
