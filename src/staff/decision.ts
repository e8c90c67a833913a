import { refuse } from '../base/refusal.ts';
import { type Over, type PeopleCommand, type PeopleEvent, type PeopleRefusal } from './commands.ts';
import { type Session } from './state.ts';

export type Decision = readonly PeopleEvent[] | PeopleRefusal;

export const deny = (code: PeopleRefusal['refused'], message: string, by: string | null = null): PeopleRefusal => ({
  ...refuse<PeopleRefusal['refused']>(code, message),
  by,
});

export const stampOf = ({ at, who }: PeopleCommand) => ({ v: 1, at, who }) as const;

export const ended = (command: PeopleCommand, { id: session, person }: Session, why: Over): PeopleEvent => ({
  type: 'SessionEnded',
  ...stampOf(command),
  session,
  person,
  why,
});
