export const pinDigits = 6;

export const isPin = (text: string): boolean => text.length === pinDigits && /^[0-9]+$/.test(text);
