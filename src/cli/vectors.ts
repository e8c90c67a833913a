export const vectors = undefined as never;
