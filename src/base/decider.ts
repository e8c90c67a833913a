/**
 * Decider (event sourcing). `decide` returns events or one refusal and changes nothing. `evolve` applies one event to
 * the state and checks no rule. `initial` is the state before the first event. Besides the state, a decision depends
 * only on the command, which also holds time, random numbers, actor and balances.
 */
export type Decider<State, Command, Event, Refused> = {
  readonly name: string;
  /** Raised with every change of behaviour. Each stored command names the version of the decider that decided it. */
  readonly version: number;
  readonly initial: State;
  readonly decide: (command: Command, state: State) => readonly Event[] | Refused;
  readonly evolve: (state: State, event: Event) => State;
};
