import { type HttpError } from './responseHeaders.ts';
import { serverClosingRefusal } from '../refusals/serverRefusals.ts';

export const serverClosingError: HttpError = {
  status: 503,
  code: serverClosingRefusal.refused,
  message: serverClosingRefusal.message,
};

export const notSignedInError: HttpError = {
  status: 401,
  code: 'not-signed-in',
  message: 'You are not signed in. Sign in first.',
};
