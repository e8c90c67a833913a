import { sandsElements } from '../../src/games/sandsElements.ts';
import { type Game } from '../../src/rules/game.ts';

export const ELM: readonly (readonly [Game, string])[] = [
  [
    sandsElements,
    `
  ELM 1.1.4            | 31 62 72 A2 92    | playerNatural | false
  ELM 1.1.4            | 91 71 L2 21       | playerNatural | true
  ELM 1.1.8            | 23 F1 S1 21 F4 43 | winner        | banker
  ELM 3.9.natural      | 35 F1 F4 83       | next          | none
  ELM 3.9.player-0-5   | 91 83 A4 74       | next          | P3
  ELM 3.9.player-stood | 65 22 T1 94       | next          | B3
  ELM 3.9.banker-3     | 35 62 91 74 85    | next          | none
  ELM 3.9.banker-6     | 35 23 T3 45 75    | next          | B3
  ELM 3.10.1.i         | L1 72 82 A3       | winner        | tie
  ELM 3.10.1.ii        | L1 72 82 A3       | player        | push by ELM 3.10.1
  ELM 3.10.1.ii        | L1 72 82 A3       | banker        | push by ELM 3.10.1
  ELM 3.10.1.iii       | L1 72 82 A3       | tie           | 8 to 1
  ELM 1.1.5            | 91 S2 94 82       | playerPair    | true
  ELM 1.1.5            | L2 S2 L2 82       | playerPair    | true
  ELM 1.1.5            | T1 S2 S1 82       | playerPair    | false
  ELM 1.1.5            | S1 S2 L1 82       | playerPair    | false
  ELM 3.8              | 91 S2 33 74 95    | player-pair   | loses by ELM 3.8.1
  ELM 3.8              | 61 S2 T3 34 S5    | banker-pair   | loses by ELM 3.8.2
  ELM 3.8.1            | 91 22 93 44       | player-pair   | 11 to 1 by ELM 4.1
  ELM 3.8.2            | 91 22 93 44       | banker-pair   | loses by ELM 3.8.2
  ELM 3.8.2            | 21 L2 43 L5 55    | banker-pair   | 11 to 1 by ELM 4.1
  ELM 3.8.1            | 21 L2 43 L5 55    | player-pair   | loses by ELM 3.8.1
  ELM 3.11             | 34 53 83 A5 45    | fortune-six   | 12 to 1
  ELM 3.11             | F3 53 T1 T5 44 A1 | fortune-six   | 20 to 1
  ELM 4.1.a            | F3 53 T1 T5 44 A1 | banker        | 1 to 2 by ELM 4.1
  ELM 4.1.b            | 91 L1 F2 31       | banker        | loses by ELM 3.10
  ELM 4.1.e            | 91 22 93 44       | player-pair   | 11 to 1 by ELM 4.1
  ELM 4.1.a            | T1 62 73 L1       | banker        | loses by ELM 3.10
  ELM 4.1.f            | T1 62 73 L1       | fortune-six   | loses by ELM 1.1.1
  ELM 4.1.f            | T1 92 L3 F4       | fortune-six   | loses by ELM 1.1.1
  ELM 4.1.g            | T1 22 73 F1 44    | fortune-six   | loses by ELM 1.1.1
  ELM 4.1.g            | T1 22 63 F1 54    | fortune-six   | loses by ELM 1.1.1
  ELM 4.1.a            | F1 T2 S5 63 53    | banker        | 1 to 2 by ELM 4.1
  ELM 4.1.b            | T2 F5 S2 85       | banker        | 1 to 1 by ELM 4.1
  ELM 4.1.c            | L5 42 F4 95 53 93 | player        | 1 to 1 by ELM 4.1
  ELM 4.1.c            | 91 S5 33 83       | player        | loses by ELM 3.10
  ELM 4.1.d            | F5 S4 L3 52 73 24 | tie           | 8 to 1 by ELM 4.1
  ELM 4.1.d            | L1 31 F5 S5 21 64 | tie           | loses by ELM 1.1.8
  ELM 4.1.e            | A1 L3 A5 A3 45 63 | player-pair   | 11 to 1 by ELM 4.1
  ELM 4.1.e            | T4 24 81 93       | player-pair   | loses by ELM 3.8.1
  ELM 4.1.f            | 34 53 83 A5 45    | fortune-six   | 12 to 1 by ELM 4.1
  ELM 4.1.f            | 81 A2 51 54 34    | fortune-six   | loses by ELM 1.1.1
  ELM 4.1.g            | F3 53 T1 T5 44 A1 | fortune-six   | 20 to 1 by ELM 4.1
  ELM 4.1.g            | 62 L5 S5 A1 21    | fortune-six   | loses by ELM 1.1.1
`,
  ],
];
