// The door `punto/table`: one table with its rounds, people and irregularities, decided without a clock, a disk or a network.
export { decide } from '../table/decide/decide.ts';
export { type Decision } from '../table/decide/decision.ts';
export { evolve } from '../table/evolve/evolve.ts';
export { type Command, type CommandName, type CommandOf, commandKinds } from '../table/declare/commands.ts';
export { type EventName, type EventOf, type TableEvent, eventKinds } from '../table/declare/events.ts';
export { type TableCode, type TableRefusal, refusalKinds } from '../table/declare/refusals.ts';
export { type Setting, type SettingAsked } from '../table/declare/setting.ts';
export { commandFrom } from '../table/declare/parse.ts';
export { type Ending, type Paid, paidOn, returnedOn } from '../table/money.ts';
export { type Phase, type Round, type RoundRecord, type Table } from '../table/table.ts';
export { type Who } from '../rules/who.ts';
export { dealerView } from '../table/show/dealer.ts';
export { nextCommands } from '../table/show/next.ts';
export { type Sentence, saysOf } from '../table/show/says.ts';
export { supervisorView } from '../table/show/supervisor.ts';
export { publicView, terminalView } from '../table/show/views.ts';
