export const pinLength = 6;

export const isPin = (text: string): boolean => text.length === pinLength && /^[0-9]+$/.test(text);
