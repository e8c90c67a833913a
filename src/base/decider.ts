/**
 * Decider: `decide` returns events or one refusal and changes nothing; `evolve` applies an event and asks no rule;
 * `initial` is the state before the first event. Time, randomness, actor and balances come with the command.
 */
export type Decider<State, Command, Event, Refused> = {
  readonly name: string;
  /** Raised with every change of behaviour; each stored entry names the version that decided it. */
  readonly version: number;
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[] | Refused;
  readonly evolve: (state: State, event: Event) => State;
};
