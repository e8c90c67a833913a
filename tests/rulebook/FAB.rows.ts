import { fabulous4 } from '../../src/games/fabulous4.ts';
import { type Game } from '../../src/rules/game.ts';

export const FAB: readonly (readonly [Game, string])[] = [
  [
    fabulous4,
    `
  FAB 1.1.3 | QD KC 2D 7S QD | playerPreciousPair | none
  FAB 1.1.3 | QD KC 2D 7S QD | player-precious-pair | loses by FAB 3.12
  FAB 1.1.3 | 4D KC AS 7S 4D | player-precious-pair | loses by FAB 3.12
  FAB 1.1.3 | 6S QD KH 3D QD | banker-precious-pair | loses by FAB 3.12
  FAB 1.1.3 | 4D KC 4D 7S | player-precious-pair | 30 to 1 by FAB 4.2
  FAB 1.1.4            | QS 5H KH AS 9C    | playerNatural        | false
  FAB 1.1.4            | TS 8D 8C 6H       | playerNatural        | true
  FAB 1.1.9            | JH 4S 4C JS 8C    | winner               | banker
  FAB 3.8.1            | QC 3D 3S 5H       | next                 | none
  FAB 3.8.2.player-0-5 | AH TD 3D 6C       | next                 | P3
  FAB 3.8.3            | 8C QH 9C JH       | next                 | B3
  FAB 3.8.4.banker-3   | 5C 7C JH 6S 8H    | next                 | none
  FAB 3.8.4.banker-6   | KH TH 4H 6S 7S    | next                 | B3
  FAB 3.9.1.i          | 2C 9S 7H JC       | winner               | tie
  FAB 3.9.1.ii         | 2C 9S 7H JC       | player               | push by FAB 3.9.1
  FAB 3.9.1.ii         | 2C 9S 7H JC       | banker               | push by FAB 3.9.1
  FAB 3.9.1.iii        | 2C 9S 7H JC       | tie                  | 8 to 1
  FAB 1.1.6            | 4D KC 4D 8S       | banker-precious-pair | loses by FAB 3.12
  FAB 1.1.6            | KC 4D 8S 4D       | player-precious-pair | loses by FAB 3.12
  FAB 1.1.6.1          | 4D KC 4D 8S       | playerPreciousPair   | diamond-fours
  FAB 1.1.6.2          | 4C KC 4C 8S       | playerPreciousPair   | fours
  FAB 1.1.6.2          | 4H KC 4S 8S       | playerPreciousPair   | fours
  FAB 1.1.6.2          | 4D KC 4H 8S       | playerPreciousPair   | fours
  FAB 1.1.6.3          | QD KC QD 8S       | playerPreciousPair   | diamonds
  FAB 1.1.6.3          | QD KC QH 8S       | playerPreciousPair   | other
  FAB 1.1.6.4          | QH KC QH 8S       | playerPreciousPair   | other
  FAB 1.1.6.4          | KC 8S KH TD       | playerPreciousPair   | other
  FAB 1.1.6.4          | TS 8S KS TD       | playerPreciousPair   | none
  FAB 3.10.i           | 4H 2H KS QH 7H 2C | banker-fabulous-4    | 25 to 1
  FAB 3.10.ii          | 4H 2H KS QH 7H 2C | player               | loses by FAB 3.10.ii
  FAB 3.10.iii         | 4H 2H KS QH 7H 2C | banker               | push by FAB 3.10.iii
  FAB 3.10.iii         | 4H 2H KS QH 7H 2C | tie                  | loses by FAB 1.1.9
  FAB 3.11.i           | 9H 5D 4D 8D AS 8C | player-fabulous-4    | 50 to 1
  FAB 3.11.ii          | 9H 5D 4D 8D AS 8C | banker               | loses by FAB 3.11.ii
  FAB 3.11.iii         | 9H 5D 4D 8D AS 8C | player               | 1 to 2 by FAB 4.1
  FAB 3.12             | 9H KC TH 8S       | player-precious-pair | loses by FAB 3.12
  FAB 3.12             | KC 9H 8S TH       | banker-precious-pair | loses by FAB 3.12
  FAB 4.1.note         | QH 9S AH 5H KD    | banker               | push
  FAB 4.2.a            | 4D KC 4D 8S       | player-precious-pair | 30 to 1 by FAB 4.2
  FAB 4.2.a            | KC 4D 8S 4D       | banker-precious-pair | 30 to 1 by FAB 4.2
  FAB 4.2.b            | 4H KC 4S 8S       | player-precious-pair | 15 to 1 by FAB 4.2
  FAB 4.2.b            | KC 4H 8S 4S       | banker-precious-pair | 15 to 1 by FAB 4.2
  FAB 4.2.c            | QD KC QD 8S       | player-precious-pair | 12 to 1 by FAB 4.2
  FAB 4.2.c            | KC QD 8S QD       | banker-precious-pair | 12 to 1 by FAB 4.2
  FAB 4.2.d            | KS TC KH 8S       | player-precious-pair | 9 to 1 by FAB 4.2
  FAB 4.2.d            | TC KS 8S KH       | banker-precious-pair | 9 to 1 by FAB 4.2
  FAB 4.1.d            | KS 7C 4H KD TH    | player               | loses by FAB 3.9
  FAB 4.1.h            | 9C KS KD QH       | player-fabulous-4    | loses by FAB 1.1.5
  FAB 4.1.a            | 9C 4S KD QH       | banker               | loses by FAB 3.9
  FAB 4.1.i            | 9C 4S KD QH       | banker-fabulous-4    | loses by FAB 1.1.1
  FAB 4.1.a            | QH 9S AH 5H KD    | banker               | push by FAB 3.10.iii
  FAB 4.1.b            | TD 3S 4S AD 6D 7C | banker               | 2 to 1 by FAB 4.1
  FAB 4.1.c            | AC KD KH AD QS 6S | banker               | 1 to 1 by FAB 4.1
  FAB 4.1.c            | 2C 4S 7C 6C       | banker               | loses by FAB 3.9
  FAB 4.1.d            | 5S 9H 9D 2D TC 2S | player               | 1 to 2 by FAB 4.1
  FAB 4.1.e            | AC 6C QH 5D KS 9H | player               | 2 to 1 by FAB 4.1
  FAB 4.1.f            | 3H 9S 6D 7H       | player               | 1 to 1 by FAB 4.1
  FAB 4.1.f            | 3D 4C JD QC 8H    | player               | loses by FAB 3.10.ii
  FAB 4.1.g            | AH KH TD AC 2D 2C | tie                  | 8 to 1 by FAB 4.1
  FAB 4.1.g            | 9D TD 5H 4H 8C    | tie                  | loses by FAB 1.1.9
  FAB 4.1.h            | 4C 8D 7D 5D 3S JD | player-fabulous-4    | 50 to 1 by FAB 4.1
  FAB 4.1.h            | KS 8D 5S 6C 9S    | player-fabulous-4    | loses by FAB 1.1.5
  FAB 4.1.i            | KS KH QD JH AH 4H | banker-fabulous-4    | 25 to 1 by FAB 4.1
  FAB 4.1.i            | 3D TC JS KH QH 5S | banker-fabulous-4    | loses by FAB 1.1.1
`,
  ],
];
