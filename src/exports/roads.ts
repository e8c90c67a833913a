// Entry point `punto/roads`: the roads of a shoe, the marks that the next result would add, and statistics.
export {
  type NextMarks,
  type Bead,
  type BigRoadCell,
  type DerivedCell,
  type RoadResult,
  Roads,
  roadsOf,
} from '../roads/roads.ts';
export { type DerivedRoad, type DerivedRoadMark, derivedRoadNames, derivedRoadMarkOf } from '../roads/derived.ts';
export { type RoadPosition, rowsPerColumn } from '../roads/grid.ts';
export { type ShoeStatistics, noStatistics, statisticsOf, addRoundToStatistics } from '../roads/statistics.ts';
