import { sandsSuper } from '../../src/games/sandsSuper.ts';
import { type Game } from '../../src/rules/game.ts';

export const SUP: readonly (readonly [Game, string])[] = [
  [
    sandsSuper,
    `
  SUP 1.1.4 | QD KC 2D 7S QD | playerPreciousPair | none
  SUP 1.1.4 | QD KC 2D 7S QD | player-precious-pair | loses by SUP 3.8
  SUP 1.1.4 | 4D KC AS 7S 4D | player-precious-pair | loses by SUP 3.8
  SUP 1.1.4 | 6S QD KH 3D QD | banker-precious-pair | loses by SUP 3.8
  SUP 1.1.4 | 4D KC 4D 7S | player-precious-pair | 30 to 1 by SUP 4.2
  SUP 1.1.5            | 5D AC 3C QD       | playerNatural | true
  SUP 1.1.5            | 6D AC 3C QD       | playerNatural | true
  SUP 1.1.5            | AC 5D QD 3C       | bankerNatural | true
  SUP 1.1.5            | AC 6D QD 3C       | bankerNatural | true
  SUP 1.1.5            | AC 6D QD 3C       | playerNatural | false
  SUP 1.1.5            | 8C 7H 4S KS 6C    | playerNatural | false
  SUP 1.1.5            | 8C 7H 4S KS 7C    | playerNatural | false
  SUP 1.1.5            | KS 2C 6D AC 5S    | bankerNatural | false
  SUP 1.1.5            | KS 2C 6D AC 6S    | bankerNatural | false
  SUP 1.1.12           | 7C 9C 4S 2D 5S 6D | winner               | banker
  SUP 1.1.5            | 9D 7C JD QC       | bankerNatural        | false
  SUP 3.9.natural      | 2H 2S JC 6S       | next                 | none
  SUP 3.9.player-0-5   | 8D 9C 5D 6S       | next                 | P3
  SUP 3.9.player-stood | KD AH 6C 4H       | next                 | B3
  SUP 3.9.banker-3     | 3H 5H KD 8H 8C    | next                 | none
  SUP 3.9.banker-6     | 5D AD 8D 5S 6S    | next                 | B3
  SUP 3.11.i           | KS 3C JH 7S 2H 2C | winner               | tie
  SUP 3.11.ii          | KS 3C JH 7S 2H 2C | player               | push by SUP 3.11
  SUP 3.11.ii          | KS 3C JH 7S 2H 2C | banker               | push by SUP 3.11
  SUP 3.11.iii         | KS 3C JH 7S 2H 2C | tie                  | 8 to 1
  SUP 1.1.6            | 4D KC 4D 8S       | banker-precious-pair | loses by SUP 3.8
  SUP 1.1.6            | KC 4D 8S 4D       | player-precious-pair | loses by SUP 3.8
  SUP 1.1.6            | 4D KC 4D 8S       | player-precious-pair | 30 to 1
  SUP 1.1.6            | KC 4D 8S 4D       | banker-precious-pair | 30 to 1
  SUP 1.1.6.1          | 4D KC 4D 8S       | playerPreciousPair   | diamond-fours
  SUP 1.1.6.2          | 4C KC 4C 8S       | playerPreciousPair   | fours
  SUP 1.1.6.2          | 4H KC 4S 8S       | playerPreciousPair   | fours
  SUP 1.1.6.2          | 4D KC 4H 8S       | playerPreciousPair   | fours
  SUP 1.1.6.3          | QD KC QD 8S       | playerPreciousPair   | diamonds
  SUP 1.1.6.3          | QD KC QH 8S       | playerPreciousPair   | other
  SUP 1.1.6.4          | QH KC QH 8S       | playerPreciousPair   | other
  SUP 1.1.6.4          | KC 8S KH TD       | playerPreciousPair   | other
  SUP 1.1.6.4          | TS 8S KS TD       | playerPreciousPair   | none
  SUP 3.8              | 9H KC TH 8S       | player-precious-pair | loses by SUP 3.8
  SUP 3.8              | KC 9H 8S TH       | banker-precious-pair | loses by SUP 3.8
  SUP 3.8              | 9H KC 9S 8S       | player-precious-pair | 9 to 1
  SUP 3.8              | KC 9D 8S 9D       | banker-precious-pair | 12 to 1
  SUP 3.12             | 5C 2S 7C 8H 4S JS | sands-six            | 6 to 1
  SUP 3.12             | 2C 6D TH JC AC    | sands-six            | 6 to 1
  SUP 3.12             | 9S 6H 7H KD       | sands-six            | 6 to 1
  SUP 3.13             | 4H KC 9D 8S       | player-red           | 2 to 1
  SUP 3.13             | 4H KC 9S 8S       | player-red           | loses by SUP 3.13
  SUP 3.13             | 4H KC 9D 7S QS    | player-red           | 2 to 1
  SUP 3.13             | 4H KC 9S 7S QD    | player-red           | loses by SUP 3.13
  SUP 3.13             | KC 4H 8S 9D       | banker-red           | 2 to 1
  SUP 3.13             | KC 4H 8S 9D       | player-red           | loses by SUP 3.13
  SUP 3.13             | KC 4H 8S 9S       | banker-red           | loses by SUP 3.13
  SUP 3.13             | 6S QD KC 3H QS    | banker-red           | 2 to 1
  SUP 3.13             | 6S QD KC 3S QH    | banker-red           | loses by SUP 3.13
  SUP 3.14             | 4C KH 9S 8S       | player-black         | 2 to 1
  SUP 3.14             | 4H KC 9S 8S       | player-black         | loses by SUP 3.14
  SUP 3.14             | 4H KC 9S 8S       | player-red           | loses by SUP 3.13
  SUP 3.14             | KC 4H 8S 9S       | banker-black         | loses by SUP 3.14
  SUP 3.14             | KC 4H 8S 9S       | banker-red           | loses by SUP 3.13
  SUP 3.14             | 4H KC 9D 7S QS    | player-black         | loses by SUP 3.14
  SUP 3.14             | KH 4C 8D 9S       | banker-black         | 2 to 1
  SUP 3.14             | KH 4C 8D 9S       | player-black         | loses by SUP 3.14
  SUP 4.1.e            | KH 4C 8D 9S       | banker-black         | 2 to 1 by SUP 4.1
  SUP 4.1.e            | KH 4C 8D 9H       | banker-black         | loses by SUP 3.14
  SUP 4.1.e            | KH 4D 8D 9H       | banker-black         | loses by SUP 3.14
  SUP 4.1.f            | 4H KC 9D 8S       | player-red           | 2 to 1 by SUP 4.1
  SUP 4.1.f            | 4C KC 9S 8S       | player-red           | loses by SUP 3.13
  SUP 4.1.f            | KC 4C 8S 9S       | banker-red           | loses by SUP 3.13
  SUP 4.2.a            | 4D KC 4D 8S       | player-precious-pair | 30 to 1 by SUP 4.2
  SUP 4.2.a            | KC 4D 8S 4D       | banker-precious-pair | 30 to 1 by SUP 4.2
  SUP 4.2.b            | 4H KC 4S 8S       | player-precious-pair | 15 to 1 by SUP 4.2
  SUP 4.2.b            | KC 4H 8S 4S       | banker-precious-pair | 15 to 1 by SUP 4.2
  SUP 4.2.c            | QD KC QD 8S       | player-precious-pair | 12 to 1 by SUP 4.2
  SUP 4.2.c            | KC QD 8S QD       | banker-precious-pair | 12 to 1 by SUP 4.2
  SUP 4.2.d            | KS TC KH 8S       | player-precious-pair | 9 to 1 by SUP 4.2
  SUP 4.2.d            | TC KS 8S KH       | banker-precious-pair | 9 to 1 by SUP 4.2
  SUP 4.5.total-0      | TS 6H JS 3C       | tie-wins-on-0        | loses by SUP 1.1.13
  SUP 4.3.total-1      | 8C 6C 3S 7H KH 8S | player-wins-on-1     | loses by SUP 1.1.7
  SUP 4.4.total-1      | 8C 6C 3S 7H KH 8S | banker-wins-on-1     | loses by SUP 1.1.1
  SUP 4.5.total-1      | 4H 9H TD 5H 7C 6D | tie-wins-on-1        | loses by SUP 1.1.13
  SUP 4.3.total-2      | QH 2S TC AD 2H 9D | player-wins-on-2     | loses by SUP 1.1.7
  SUP 4.4.total-2      | QH 2S TC AD 2H 9D | banker-wins-on-2     | loses by SUP 1.1.1
  SUP 4.5.total-2      | 4S AC 9C JH 9D KS | tie-wins-on-2        | loses by SUP 1.1.13
  SUP 4.3.total-3      | JC JS 5D 3D 8C    | player-wins-on-3     | loses by SUP 1.1.7
  SUP 4.4.total-3      | JC JS 5D 3D 8C    | banker-wins-on-3     | loses by SUP 1.1.1
  SUP 4.5.total-3      | 2S JS AD 2D QC QD | tie-wins-on-3        | loses by SUP 1.1.13
  SUP 4.3.total-4      | KS 6D 4H 8S KH    | player-wins-on-4     | loses by SUP 1.1.7
  SUP 4.4.total-4      | KS 6D 4H 8S KH    | banker-wins-on-4     | loses by SUP 1.1.1
  SUP 4.5.total-4      | 4S 5D TH 7H QD 9H | tie-wins-on-4        | loses by SUP 1.1.13
  SUP 4.3.total-5      | TH QD QS 5S 5C KC | player-wins-on-5     | loses by SUP 1.1.7
  SUP 4.4.total-5      | TH QD QS 5S 5C KC | banker-wins-on-5     | loses by SUP 1.1.1
  SUP 4.5.total-5      | TH 9C 5D 2D QD 9D | tie-wins-on-5        | loses by SUP 1.1.13
  SUP 4.3.total-6      | JD JC 6C 6S       | player-wins-on-6     | loses by SUP 1.1.7
  SUP 4.4.total-6      | JD JC 6C 6S       | banker-wins-on-6     | loses by SUP 1.1.1
  SUP 4.5.total-6      | QC 4S 6H TD QH    | tie-wins-on-6        | loses by SUP 1.1.13
  SUP 4.3.total-7      | 2C 7C JH TC 5S    | player-wins-on-7     | loses by SUP 1.1.7
  SUP 4.4.total-7      | 2C 7C JH TC 5S    | banker-wins-on-7     | loses by SUP 1.1.1
  SUP 4.5.total-7      | 7C 2C 5C 4D 5S    | tie-wins-on-7        | loses by SUP 1.1.13
  SUP 4.3.total-8      | 8C 7H QH AS       | player-wins-on-8     | loses by SUP 1.1.7
  SUP 4.4.total-8      | 8C 7H QH AS       | banker-wins-on-8     | loses by SUP 1.1.1
  SUP 4.5.total-8      | KS 4C 8S AC       | tie-wins-on-8        | loses by SUP 1.1.13
  SUP 4.3.total-9      | 7S 9H 2D JD       | player-wins-on-9     | loses by SUP 1.1.7
  SUP 4.4.total-9      | 7S 9H 2D JD       | banker-wins-on-9     | loses by SUP 1.1.1
  SUP 4.5.total-9      | QD 3H 9C 2C       | tie-wins-on-9        | loses by SUP 1.1.13
  SUP 4.1.a            | KC 6D 7H KS       | banker               | loses by SUP 3.10
  SUP 4.1.g            | KC 6D 7H KS       | sands-six            | loses by SUP 1.1.11
  SUP 4.1.g            | JC 8D 8H KS       | sands-six            | loses by SUP 1.1.11
  SUP 4.1.a            | KH 6S QH JD 4D    | banker               | 1 to 2 by SUP 4.1
  SUP 4.1.b            | TS 6H JS 3C       | banker               | 1 to 1 by SUP 4.1
  SUP 4.1.b            | AH 3S 5H 8H 3H    | banker               | loses by SUP 3.10
  SUP 4.1.c            | JC 3D 9S 9D       | player               | 1 to 1 by SUP 4.1
  SUP 4.1.c            | JD 7S 3D JH TH    | player               | loses by SUP 3.10
  SUP 4.1.d            | 2C TD AC 2S 9D JS | tie                  | 8 to 1 by SUP 4.1
  SUP 4.1.d            | 4H 2H 3S 4D       | tie                  | loses by SUP 1.1.12
  SUP 4.1.e            | 9S 7H 4S 2S       | player-black         | 2 to 1 by SUP 4.1
  SUP 4.1.e            | 4D 9D 3C 2D AH    | player-black         | loses by SUP 3.14
  SUP 4.1.f            | KH 7H 4H QH QD    | banker-red           | 2 to 1 by SUP 4.1
  SUP 4.1.f            | 7S KD 2D AC       | banker-red           | loses by SUP 3.13
  SUP 4.1.g            | 9S 3S 7C KC AC    | sands-six            | 6 to 1 by SUP 4.1
  SUP 4.1.g            | 2H 9H 4S 8H       | sands-six            | loses by SUP 1.1.11
  SUP 4.3.total-1      | 4H 9H TD 5H 7C 6D | player-wins-on-1     | 150 to 1 by SUP 4.3
  SUP 4.3.total-1      | 5C 8D 3H 5H       | player-wins-on-1     | loses by SUP 1.1.7
  SUP 4.3.total-2      | 4S AC 9C JH 9D KS | player-wins-on-2     | 80 to 1 by SUP 4.3
  SUP 4.3.total-2      | 7D 5H 9H 8S TC    | player-wins-on-2     | loses by SUP 1.1.7
  SUP 4.3.total-3      | 2S JS AD 2D QC QD | player-wins-on-3     | 50 to 1 by SUP 4.3
  SUP 4.3.total-3      | 7S 4H AS 8S       | player-wins-on-3     | loses by SUP 1.1.7
  SUP 4.3.total-4      | 4S 5D TH 7H QD 9H | player-wins-on-4     | 50 to 1 by SUP 4.3
  SUP 4.3.total-4      | 4S 7D 3S 5H AD    | player-wins-on-4     | loses by SUP 1.1.7
  SUP 4.3.total-5      | TH 9C 5D 2D QD 9D | player-wins-on-5     | 30 to 1 by SUP 4.3
  SUP 4.3.total-5      | 2H 5S 4H 7S 8S    | player-wins-on-5     | loses by SUP 1.1.7
  SUP 4.3.total-6      | QC 4S 6H TD QH    | player-wins-on-6     | 11 to 1 by SUP 4.3
  SUP 4.3.total-6      | 8C 5D KH JD       | player-wins-on-6     | loses by SUP 1.1.7
  SUP 4.3.total-7      | 7C 2C 5C 4D 5S    | player-wins-on-7     | 8 to 1 by SUP 4.3
  SUP 4.3.total-7      | QC QS 9C KC       | player-wins-on-7     | loses by SUP 1.1.7
  SUP 4.3.total-8      | KS 4C 8S AC       | player-wins-on-8     | 6 to 1 by SUP 4.3
  SUP 4.3.total-8      | KS TD 3D AC JS JC | player-wins-on-8     | loses by SUP 1.1.7
  SUP 4.3.total-9      | QD 3H 9C 2C       | player-wins-on-9     | 5 to 1 by SUP 4.3
  SUP 4.3.total-9      | 3H KS TC 7S 5D    | player-wins-on-9     | loses by SUP 1.1.7
  SUP 4.4.total-1      | 3C 2C KD KC 7C 9D | banker-wins-on-1     | 150 to 1 by SUP 4.4
  SUP 4.4.total-1      | 7H 2H 9D 8D 9C    | banker-wins-on-1     | loses by SUP 1.1.1
  SUP 4.4.total-2      | 7C 7S 5S 5D 8S KC | banker-wins-on-2     | 80 to 1 by SUP 4.4
  SUP 4.4.total-2      | 5C KD 8H 9S       | banker-wins-on-2     | loses by SUP 1.1.1
  SUP 4.4.total-3      | TH 6H JD 7H JC TS | banker-wins-on-3     | 50 to 1 by SUP 4.4
  SUP 4.4.total-3      | 2C 7H 3S AH       | banker-wins-on-3     | loses by SUP 1.1.1
  SUP 4.4.total-4      | QH 5S 3D 9D JS    | banker-wins-on-4     | 25 to 1 by SUP 4.4
  SUP 4.4.total-4      | QH 7D 4H KD QS    | banker-wins-on-4     | loses by SUP 1.1.1
  SUP 4.4.total-5      | 7H 9S 4H 6D JS    | banker-wins-on-5     | 15 to 1 by SUP 4.4
  SUP 4.4.total-5      | 3S 5H 8D 7D TS 4D | banker-wins-on-5     | loses by SUP 1.1.1
  SUP 4.4.total-6      | 9H 7D AS 4S AH 5D | banker-wins-on-6     | 11 to 1 by SUP 4.4
  SUP 4.4.total-6      | 2C 9D 8S AD KS 3H | banker-wins-on-6     | loses by SUP 1.1.1
  SUP 4.4.total-7      | 2C AS QC 6S JC    | banker-wins-on-7     | 8 to 1 by SUP 4.4
  SUP 4.4.total-7      | 2S JH JC 3C 9H QD | banker-wins-on-7     | loses by SUP 1.1.1
  SUP 4.4.total-8      | 6D 8H JC KD       | banker-wins-on-8     | 6 to 1 by SUP 4.4
  SUP 4.4.total-8      | JH 7D 8S 2H       | banker-wins-on-8     | loses by SUP 1.1.1
  SUP 4.4.total-9      | 4C 5D 7S 4D       | banker-wins-on-9     | 5 to 1 by SUP 4.4
  SUP 4.4.total-9      | 5D 7H QS KS TH    | banker-wins-on-9     | loses by SUP 1.1.1
  SUP 4.5.total-0      | 6S QS 7S TS 7D JH | tie-wins-on-0        | 100 to 1 by SUP 4.5
  SUP 4.5.total-0      | 9D 8H KS AS       | tie-wins-on-0        | loses by SUP 1.1.13
  SUP 4.5.total-1      | 8C 6C 3S 7H KH 8S | tie-wins-on-1        | 150 to 1 by SUP 4.5
  SUP 4.5.total-1      | 3D 2C 6S 7H       | tie-wins-on-1        | loses by SUP 1.1.13
  SUP 4.5.total-2      | QH 2S TC AD 2H 9D | tie-wins-on-2        | 150 to 1 by SUP 4.5
  SUP 4.5.total-2      | 9D 9S KS TS       | tie-wins-on-2        | loses by SUP 1.1.13
  SUP 4.5.total-3      | JC JS 5D 3D 8C    | tie-wins-on-3        | 150 to 1 by SUP 4.5
  SUP 4.5.total-3      | 6S 6D 2C 2D       | tie-wins-on-3        | loses by SUP 1.1.13
  SUP 4.5.total-4      | KS 6D 4H 8S KH    | tie-wins-on-4        | 100 to 1 by SUP 4.5
  SUP 4.5.total-4      | JH 6C 4C TC 2D    | tie-wins-on-4        | loses by SUP 1.1.13
  SUP 4.5.total-5      | TH QD QS 5S 5C KC | tie-wins-on-5        | 80 to 1 by SUP 4.5
  SUP 4.5.total-5      | 6S 3H 2D 5C       | tie-wins-on-5        | loses by SUP 1.1.13
  SUP 4.5.total-6      | JD JC 6C 6S       | tie-wins-on-6        | 35 to 1 by SUP 4.5
  SUP 4.5.total-6      | 4D 4C KD QS QH    | tie-wins-on-6        | loses by SUP 1.1.13
  SUP 4.5.total-7      | 2C 7C JH TC 5S    | tie-wins-on-7        | 35 to 1 by SUP 4.5
  SUP 4.5.total-7      | JH AD 3D TC 8H TS | tie-wins-on-7        | loses by SUP 1.1.13
  SUP 4.5.total-8      | 8C 7H QH AS       | tie-wins-on-8        | 50 to 1 by SUP 4.5
  SUP 4.5.total-8      | TC 3C 4H KS 9H JS | tie-wins-on-8        | loses by SUP 1.1.13
  SUP 4.5.total-9      | 7S 9H 2D JD       | tie-wins-on-9        | 50 to 1 by SUP 4.5
  SUP 4.5.total-9      | 2D AD 4S 5H       | tie-wins-on-9        | loses by SUP 1.1.13
`,
  ],
];
