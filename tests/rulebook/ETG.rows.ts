import {
  fortuneSix,
  noCommissionBaccarat,
  super6,
  superSix,
  tiger,
  tigerNoCommission,
} from '../../src/games/electronic.ts';
import { type Game } from '../../src/rules/game.ts';

/** Every one of the six games. */
const mainRows = `
  ETG 1.1.7            | 4S QC 6H 4D 9C    | playerNatural | false
  ETG 1.1.7            | 8S QH JS TS       | playerNatural | true
  ETG 1.1.16           | AC 5H QC 6S 6D 9C | winner        | player
  ETG 3.8.natural      | 5H 5C 8C 4S       | next          | none
  ETG 3.8.player-0-5   | 2C 6S QD QH       | next          | P3
  ETG 3.8.player-stood | 6D 9S TD 5S       | next          | B3
  ETG 3.8.banker-3     | 3H 9H 8D 4D 8H    | next          | none
  ETG 3.8.banker-6     | 4D KC QH 6C 7D    | next          | B3
  ETG 3.9.1.i          | 2H 4D KD 9S 7C 6D | winner        | tie
  ETG 3.9.1.ii         | 2H 4D KD 9S 7C 6D | player        | push by ETG 3.9.1
  ETG 3.9.1.ii         | 2H 4D KD 9S 7C 6D | banker        | push by ETG 3.9.1
  ETG 3.9.1.iii        | 2H 4D KD 9S 7C 6D | tie           | 8 to 1
`;

/** The four games with Player Pair and Banker Pair. */
const pairRows = `
  ETG 1.1.11 | TS 8C TH KD    | player-pair | 11 to 1
  ETG 1.1.11 | TS 8C KH KD    | player-pair | loses by ETG 3.7.1
  ETG 1.1.11 | TS 8C QH KD    | player-pair | loses by ETG 3.7.1
  ETG 1.1.11 | TS 8C JH KD    | player-pair | loses by ETG 3.7.1
  ETG 1.1.11 | KS 8C QH KD    | player-pair | loses by ETG 3.7.1
  ETG 3.7    | 9S KC 3H 7D 9D | player-pair | loses by ETG 3.7.1
  ETG 3.7    | 6S QC KH 3D QS | banker-pair | loses by ETG 3.7.2
  ETG 3.7.1  | 9S 2C 9H 4D    | player-pair | 11 to 1
  ETG 3.7.2  | 9S 2C 9H 4D    | banker-pair | loses by ETG 3.7.2
  ETG 3.7.2  | 2S QC 4H QD 5S | banker-pair | 11 to 1
  ETG 3.7.1  | 2S QC 4H QD 5S | player-pair | loses by ETG 3.7.1
`;

/** The two games with Dragon Bonuses. */
const dragonRows = `
  ETG 1.1.8   | TC 8H 8S TH       | player-dragon-bonus | push by ETG 4.6
  ETG 1.1.8   | TC 8H 8S TH       | banker-dragon-bonus | push by ETG 4.5
  ETG 1.1.8   | JS 8C TD 3H 8D 7S | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 1.1.8   | JS 8C TD 3H 8D 7S | player-dragon-bonus | loses by ETG 1.1.9
  ETG 1.1.1.2 | 8S 9C KH KD       | banker-dragon-bonus | 1 to 1 by ETG 4.5
  ETG 1.1.1.2 | KS 9C QH KD       | banker-dragon-bonus | 1 to 1 by ETG 4.5
  ETG 1.1.9.2 | 9C 8S KD KH       | player-dragon-bonus | 1 to 1 by ETG 4.6
  ETG 1.1.9.2 | 9C KS KD QH       | player-dragon-bonus | 1 to 1 by ETG 4.6
  ETG 1.1.9.1 | KD 7S 3H 5C 7C 7D | player-dragon-bonus | loses by ETG 1.1.9
  ETG 1.1.9.1 | KH TS 3D 5D 7C 3H | player-dragon-bonus | loses by ETG 1.1.9
  ETG 1.1.9.1 | 7H JH 6C 3H 9H 6H | player-dragon-bonus | loses by ETG 1.1.9
  ETG 1.1.9.1 | 4S 6S 8D 4H AD 9H | player-dragon-bonus | loses by ETG 1.1.9
  ETG 1.1.9.1 | 8C JS 3C AS KD 5S | player-dragon-bonus | loses by ETG 1.1.9
  ETG 1.1.9.1 | 3C JD 7S 4D QH    | player-dragon-bonus | loses by ETG 1.1.9
  ETG 1.1.1.1 | 2H 5S JD 7H 7D 8D | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 1.1.1.1 | 8C JS 7H TS 3C KC | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 1.1.1.1 | 2S 6C 5C 4D QS    | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 1.1.1.1 | 7D JS KD TD AD    | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 1.1.1.1 | JD 3S TD AC 9D    | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 1.1.1.1 | JS 4H 6D 7D AD    | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 1.1.9.2 | 8S KC KH QD       | player-dragon-bonus | 1 to 1 by ETG 4.6
  ETG 1.1.1.2 | KC 8S QD KH       | banker-dragon-bonus | 1 to 1 by ETG 4.5
  ETG 1.1.9.2 | 9S 2C KH KD       | player-dragon-bonus | 1 to 1 by ETG 4.6
  ETG 1.1.1.2 | 2C 9S KD KH       | banker-dragon-bonus | 1 to 1 by ETG 4.5
  ETG 1.1.9.2 | 9S 3C KH KD       | player-dragon-bonus | 1 to 1 by ETG 4.6
  ETG 1.1.1.2 | 3C 9S KD KH       | banker-dragon-bonus | 1 to 1 by ETG 4.5
  ETG 1.1.9.2 | 9S 4C KH KD       | player-dragon-bonus | 1 to 1 by ETG 4.6
  ETG 1.1.1.2 | 4C 9S KD KH       | banker-dragon-bonus | 1 to 1 by ETG 4.5
  ETG 4.5.a   | KD 7S 3H 5C 7C 7D | banker-dragon-bonus | 30 to 1 by ETG 4.5
  ETG 4.5.b   | KH TS 3D 5D 7C 3H | banker-dragon-bonus | 10 to 1 by ETG 4.5
  ETG 4.5.c   | 7H JH 6C 3H 9H 6H | banker-dragon-bonus | 6 to 1 by ETG 4.5
  ETG 4.5.d   | 4S 6S 8D 4H AD 9H | banker-dragon-bonus | 4 to 1 by ETG 4.5
  ETG 4.5.e   | 8C JS 3C AS KD 5S | banker-dragon-bonus | 2 to 1 by ETG 4.5
  ETG 4.5.f   | 3C JD 7S 4D QH    | banker-dragon-bonus | 1 to 1 by ETG 4.5
  ETG 4.5.f   | 3S JC 9C 5S JS    | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 4.5.g   | JC QH 3C 8S       | banker-dragon-bonus | 1 to 1 by ETG 4.5
  ETG 4.5.g   | TH TS 9H 8D       | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 4.5.h   | TC 8H 8S TH       | banker-dragon-bonus | push by ETG 4.5
  ETG 4.5.h   | 2H KH 8S TH JC KS | banker-dragon-bonus | loses by ETG 1.1.1
  ETG 4.6.a   | 2H 5S JD 7H 7D 8D | player-dragon-bonus | 30 to 1 by ETG 4.6
  ETG 4.6.b   | 8C JS 7H TS 3C KC | player-dragon-bonus | 10 to 1 by ETG 4.6
  ETG 4.6.c   | 2S 6C 5C 4D QS    | player-dragon-bonus | 6 to 1 by ETG 4.6
  ETG 4.6.d   | 7D JS KD TD AD    | player-dragon-bonus | 4 to 1 by ETG 4.6
  ETG 4.6.e   | JD 3S TD AC 9D    | player-dragon-bonus | 2 to 1 by ETG 4.6
  ETG 4.6.f   | JS 4H 6D 7D AD    | player-dragon-bonus | 1 to 1 by ETG 4.6
  ETG 4.6.f   | JD JS 6C AC 2H    | player-dragon-bonus | loses by ETG 1.1.9
  ETG 4.6.g   | 4H 3H 5D QC       | player-dragon-bonus | 1 to 1 by ETG 4.6
  ETG 4.6.g   | AS TS 7S 9D       | player-dragon-bonus | loses by ETG 1.1.9
  ETG 4.6.h   | 9C QS KS 9D       | player-dragon-bonus | push by ETG 4.6
  ETG 4.6.h   | JS 8C TD 3H 8D 7S | player-dragon-bonus | loses by ETG 1.1.9
`;

/** The two Tiger games. */
const tigerRows = `
  ETG 1.1.2    | 4C KH 7D JH AD 6C | big-tiger   | 50 to 1
  ETG 1.1.2    | 4C TD 6D 6C 5C    | big-tiger   | loses by ETG 1.1.2
  ETG 1.1.2    | QD 9D AS 7S 5D    | big-tiger   | loses by ETG 1.1.2
  ETG 1.1.2    | KS 7C 6H 4H KC    | big-tiger   | loses by ETG 1.1.2
  ETG 1.1.14   | 4C TD 6D 6C 5C    | small-tiger | 22 to 1
  ETG 1.1.14   | 4C KH 7D JH AD 6C | small-tiger | loses by ETG 1.1.14
  ETG 1.1.14   | QD 9D AS 7S 5D    | small-tiger | loses by ETG 1.1.14
  ETG 1.1.18   | 4C TD 6D 6C 5C    | tiger       | 12 to 1
  ETG 1.1.18   | QD 9D AS 7S 5D    | tiger       | loses by ETG 1.1.18
  ETG 1.1.19.1 | 9S 2C 9H 4D       | tigerPair   | single
  ETG 1.1.19.2 | 9S QC 9H QD       | tigerPair   | double
  ETG 1.1.19.3 | 9S 9C 9H 9D       | tigerPair   | twin
  ETG 1.1.19.3 | QS QC QH QD 9C AD | tigerPair   | twin
  ETG 1.1.19.3 | TS KC TH KD 9C AD | tigerPair   | double
  ETG 1.1.20   | 5D 3C AD QD 3D    | tiger-tie   | 35 to 1
  ETG 1.1.20   | QH 7H 7C TS       | tiger-tie   | loses by ETG 1.1.20
  ETG 4.9.a    | 9S 2C 9H 4D       | tiger-pair  | 4 to 1 by ETG 4.9
  ETG 4.9.a    | 2C 9S 4D 9H       | tiger-pair  | 4 to 1 by ETG 4.9
  ETG 4.9.a    | 2C 9S 4D 8H       | tiger-pair  | loses by ETG 1.1.19
  ETG 4.9.b    | 9S QC 9H QD       | tiger-pair  | 20 to 1 by ETG 4.9
  ETG 4.9.c    | TC TD TH TS 9C AD | tiger-pair  | 100 to 1 by ETG 4.9
  ETG 4.10.a   | KC 9D QH KS       | tiger       | loses by ETG 1.1.18
  ETG 4.10.b   | KC 2D 7H KS 4D    | tiger       | loses by ETG 1.1.18
  ETG 4.10.b   | KC 2D 6H KS 5D    | tiger       | loses by ETG 1.1.18
  ETG 4.10.c   | KC 9D QH KS       | small-tiger | loses by ETG 1.1.14
  ETG 4.10.d   | KC 2D 7H KS 4D    | big-tiger   | loses by ETG 1.1.2
  ETG 4.10.d   | KC 2D 6H KS 5D    | big-tiger   | loses by ETG 1.1.2
  ETG 4.10.e   | KC 2D 6H KS 5D    | tiger-tie   | loses by ETG 1.1.20
  ETG 4.10.a   | 6S TD 5D 6C 9H    | tiger       | 12 to 1 by ETG 4.10
  ETG 4.10.b   | AC 9D JS 3H 2S 4C | tiger       | 20 to 1 by ETG 4.10
  ETG 4.10.b   | KS 7C 6H 4H KC    | tiger       | loses by ETG 1.1.18
  ETG 4.10.c   | QC 2C JS 4H 2S    | small-tiger | 22 to 1 by ETG 4.10
  ETG 4.10.c   | 6S 8C 7H 5S KS 3H | small-tiger | loses by ETG 1.1.14
  ETG 4.10.d   | JH 3S 5H 2S 6C AH | big-tiger   | 50 to 1 by ETG 4.10
  ETG 4.10.d   | AH 4S KS 2D 2H    | big-tiger   | loses by ETG 1.1.2
  ETG 4.10.e   | QD 9D AS 7S 5D    | tiger-tie   | 35 to 1 by ETG 4.10
  ETG 4.10.e   | QH 7H 7C TS       | tiger-tie   | loses by ETG 1.1.20
`;

const superSixRows = `
  ETG 4.1.a   | 6S 6H 4C JD 7D 7H | player      | 1 to 1 by ETG 4.1
  ETG 4.1.a   | 2H 2S 5C 3D 3S    | player      | loses by ETG 3.9
  ETG 4.1.b   | 5H 5D 7S AD 8H    | banker      | 1 to 2 by ETG 4.1
  ETG 4.1.c   | AC AD JC 7S       | banker      | 1 to 1 by ETG 4.1
  ETG 4.1.d   | 8H 3C KD 5D       | tie         | 8 to 1 by ETG 4.1
  ETG 4.1.d   | JC 5S 3D 7C AC 8H | tie         | loses by ETG 1.1.17
  ETG 4.1.e   | KS 5C KS 2H 4S    | player-pair | 11 to 1 by ETG 4.1
  ETG 4.1.e   | 6S 2C 8C 7C       | player-pair | loses by ETG 3.7.1
  ETG 4.1.f   | 2H 4D TD 2D AH    | super-six   | 15 to 1 by ETG 4.1
  ETG 4.1.f   | 7C JH 9D 6C       | super-six   | loses by ETG 1.1.15
  ETG 1.1.3.1 | JS 9D TC 8D 5C    | banker      | 1 to 1
  ETG 4.1.b   | KC 6D 7H KS       | banker      | loses by ETG 3.9
  ETG 4.1.f   | JS 9D TC 8D 5C    | super-six   | loses by ETG 1.1.15
`;

const fortuneSixRows = `
  ETG 4.2.a   | 3S AS JD KS 4C AC | player      | 1 to 1 by ETG 4.2
  ETG 4.2.a   | 6C 5H TD 3D       | player      | loses by ETG 3.9
  ETG 4.2.b   | TH 6S AH JC TS    | banker      | 1 to 2 by ETG 4.2
  ETG 4.2.c   | 4S 2S 3H 7H       | banker      | 1 to 1 by ETG 4.2
  ETG 4.2.d   | AC KC KS AS 5C 5D | tie         | 8 to 1 by ETG 4.2
  ETG 4.2.d   | 8H 4D KD 2S       | tie         | loses by ETG 1.1.17
  ETG 4.2.e   | 5H 2D 5C AH QC 5D | player-pair | 11 to 1 by ETG 4.2
  ETG 4.2.e   | 9S 5H QC 5C       | player-pair | loses by ETG 3.7.1
  ETG 4.2.f   | 2H 5S 9C AS 2S    | fortune-six | 12 to 1 by ETG 4.2
  ETG 4.2.g   | JC AH QD QH JH 5S | fortune-six | 20 to 1 by ETG 4.2
  ETG 4.2.g   | 8S 9S 2D 8C TC    | fortune-six | loses by ETG 1.1.4
  ETG 1.1.3.1 | JS 9D TC 8D 5C    | banker      | 1 to 1
  ETG 4.2.b   | KC 6D 7H KS       | banker      | loses by ETG 3.9
  ETG 4.2.f   | KC 6D 7H KS       | fortune-six | loses by ETG 1.1.4
  ETG 4.2.g   | KC 2D 7H KS 4D    | fortune-six | loses by ETG 1.1.4
  ETG 4.2.g   | KC 2D 6H KS 5D    | fortune-six | loses by ETG 1.1.4
`;

const super6Rows = `
  ETG 4.3.a   | 2D KH TH QC KD KS | player      | 1 to 1 by ETG 4.3
  ETG 4.3.a   | 3S 7C 7S KD 6H    | player      | loses by ETG 3.9
  ETG 4.3.b   | 6H QS 5C 6C JH    | banker      | 1 to 2 by ETG 4.3
  ETG 4.3.c   | KS 2D 3H 8C JH 4C | banker      | 1 to 1 by ETG 4.3
  ETG 4.3.d   | 8H 7C 7H 6S 6C 8C | tie         | 8 to 1 by ETG 4.3
  ETG 4.3.d   | 5H 8C 4D JS       | tie         | loses by ETG 1.1.17
  ETG 4.3.e   | QS AS QS 2D 3C TD | player-pair | 11 to 1 by ETG 4.3
  ETG 4.3.e   | 9D KD JS KC       | player-pair | loses by ETG 3.7.1
  ETG 4.3.f   | AH 6C KH TH AD    | super-6     | 15 to 1 by ETG 4.3
  ETG 4.3.f   | QS AD 6D 4H AH    | super-6     | loses by ETG 1.1.15
  ETG 1.1.3.1 | JS 9D TC 8D 5C    | banker      | 1 to 1
  ETG 4.3.b   | KC 6D 7H KS       | banker      | loses by ETG 3.9
  ETG 4.3.f   | JS 9D TC 8D 5C    | super-6     | loses by ETG 1.1.15
`;

const noCommissionRows = `
  ETG 4.4.a   | KD 8C 6C 4S QH | player      | 1 to 1 by ETG 4.4
  ETG 4.4.a   | 5H 6D AH 5C 6H | player      | loses by ETG 3.9
  ETG 4.4.b   | 9C 6H AH JD 3H | banker      | 1 to 2 by ETG 4.4
  ETG 4.4.c   | 3C 9D 2H QD    | banker      | 1 to 1 by ETG 4.4
  ETG 4.4.d   | 6D 7H JH 9H    | tie         | 8 to 1 by ETG 4.4
  ETG 4.4.d   | 7S 4C AH AD    | tie         | loses by ETG 1.1.17
  ETG 4.4.e   | 4H 4D 4C JH    | player-pair | 11 to 1 by ETG 4.4
  ETG 4.4.e   | 5H 9C QC 5H TD | player-pair | loses by ETG 3.7.1
  ETG 1.1.3.1 | JS 9D TC 8D 5C | banker      | 1 to 1
  ETG 4.4.b   | KC 6D 7H KS    | banker      | loses by ETG 3.9
`;

const tigerBaccaratRows = `
  ETG 4.7.a   | JH AC 3S JC 4H 9C | player | 1 to 1 by ETG 4.7
  ETG 4.7.a   | 4S 5H JS 3S       | player | loses by ETG 3.9
  ETG 4.7.b   | 6D 5H 4C AC 4D    | banker | 19 to 20 by ETG 4.7
  ETG 4.7.c   | 5D 3C AD QD 3D    | tie    | 8 to 1 by ETG 4.7
  ETG 1.1.3.1 | JS 9D TC 8D 5C    | banker | 19 to 20
  ETG 4.7.b   | KC 6D 7H KS       | banker | loses by ETG 3.9
  ETG 4.7.c   | KC 6D 7H KS       | tie    | loses by ETG 1.1.17
`;

const tigerNoCommissionRows = `
  ETG 4.8.a   | 2H TS JS AH JD JC | player | 1 to 1 by ETG 4.8
  ETG 4.8.a   | KD 8C 5D 9C AH    | player | loses by ETG 3.9
  ETG 4.8.b   | TH 4H 3H 2C AD    | banker | 1 to 2 by ETG 4.8
  ETG 4.8.c   | KD 7S JH 5D AH 3C | banker | 1 to 1 by ETG 4.8
  ETG 4.8.d   | QC AD 9C 8H       | tie    | 8 to 1 by ETG 4.8
  ETG 4.8.d   | TS KC AS 6H 7S AD | tie    | loses by ETG 1.1.17
  ETG 1.1.3.1 | JS 9D TC 8D 5C    | banker | 1 to 1
  ETG 4.8.b   | KC 6D 7H KS       | banker | loses by ETG 3.9
`;

export const ETG: readonly (readonly [Game, string])[] = [
  [superSix, mainRows + pairRows + superSixRows],
  [fortuneSix, mainRows + pairRows + fortuneSixRows + dragonRows],
  [super6, mainRows + pairRows + super6Rows + dragonRows],
  [noCommissionBaccarat, mainRows + pairRows + noCommissionRows],
  [tiger, mainRows + tigerBaccaratRows + tigerRows],
  [tigerNoCommission, mainRows + tigerNoCommissionRows + tigerRows],
];
