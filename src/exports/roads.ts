// Entry point `punto/roads`: roads of a shoe, next marks, and statistics.
export { type Ask, type Bead, type Cell, type DerivedCell, type RoadResult, Roads, roadsOf } from '../roads/roads.ts';
export { type DerivedRoad, type Mark, derivedNames, markOf } from '../roads/derived.ts';
export { type Place, rows } from '../roads/grid.ts';
export { type Statistics, noStatistics, statisticsOf, withRound } from '../roads/statistics.ts';
