/**
 * Something that decides. `decide` gives events, or one refusal, and changes nothing; `evolve` writes down what an event
 * says and asks no rule; before the first event there is `initial`. Time, chance, who and money come in with the command.
 */
export type Decider<State, Command, Event, Refused> = {
  readonly name: string;
  /** Counts the changes of what it decides: every entry of a record names the one that it was decided by. */
  readonly version: number;
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[] | Refused;
  readonly evolve: (state: State, event: Event) => State;
};
