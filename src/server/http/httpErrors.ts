import { type HttpError } from './responseHeaders.ts';
import { serverClosing } from '../shared/refusals.ts';

export const serverClosingError: HttpError = {
  status: 503,
  code: serverClosing.refused,
  message: serverClosing.message,
};

export const notSignedInError: HttpError = {
  status: 401,
  code: 'not-signed-in',
  message: 'No sign-in session is valid here; sign in first.',
};
