// Entry point `punto/table`: one table with its rounds, staff and irregularities. The code behind this entry point uses
// no clock, disk or network.
export { decide } from '../table/decide/decide.ts';
export { type TableDecision } from '../table/decide/decision.ts';
export { evolve } from '../table/evolve/evolve.ts';
export { type TableCommand, type CommandName, type CommandOf, commandSchemas } from '../table/schema/commands.ts';
export { type EventName, type EventOf, type TableEvent, eventSchemas } from '../table/schema/events.ts';
export { type TableErrorCode, type TableRefusal, refusalSchemas } from '../table/schema/refusals.ts';
export { type TableSettings, type TableSettingsInput } from '../table/schema/settings.ts';
export { parseTableCommand } from '../table/schema/parseCommand.ts';
export { type RoundOutcome, type StakeResult, stakeResults, totalReturned } from '../table/payouts.ts';
export { type Phase, type Round, type RoundRecord, type Table } from '../table/state.ts';
export { type Actor } from '../access/actor.ts';
export { buildDealerView } from '../table/views/dealerView.ts';
export { nextCommands } from '../table/views/nextCommands.ts';
export { type Prompt, dealerPromptOf } from '../table/views/prompt.ts';
export { buildSupervisorView } from '../table/views/supervisorView.ts';
export { publicView, terminalView } from '../table/views/publicView.ts';
