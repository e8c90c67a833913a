/**
 * Decider (event sourcing). `decide` returns events or one refusal and changes nothing. `evolve` applies one event to
 * the state and checks no rule. `initial` is the state before the first event. Time, random numbers, actor and balances
 * are fields of the command.
 */
export type Decider<State, Command, Event, Refused> = {
  readonly name: string;
  /** Raised with every change of behaviour. Each stored entry names the decider version that decided it. */
  readonly version: number;
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[] | Refused;
  readonly evolve: (state: State, event: Event) => State;
};
