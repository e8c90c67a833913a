import { baccarat } from '../../src/games/baccarat.ts';
import { type Game } from '../../src/rules/game.ts';

export const BAC: readonly (readonly [Game, string])[] = [
  [
    baccarat,
    `
  BAC 1.1.4            | 5D AC 3C QD       | playerNatural | true
  BAC 1.1.4            | 6D AC 3C QD       | playerNatural | true
  BAC 1.1.4            | AC 5D QD 3C       | bankerNatural | true
  BAC 1.1.4            | AC 6D QD 3C       | bankerNatural | true
  BAC 1.1.4            | AC 6D QD 3C       | playerNatural | false
  BAC 1.1.4            | 8C 7H 4S KS 6C    | playerNatural | false
  BAC 1.1.4            | 8C 7H 4S KS 7C    | playerNatural | false
  BAC 1.1.4            | KS 2C 6D AC 5S    | bankerNatural | false
  BAC 1.1.4            | KS 2C 6D AC 6S    | bankerNatural | false
  BAC 1.1.8            | 9S 4S 5C TS 8S    | winner        | banker
  BAC 3.9.1            | AH 6C JD 3H       | next          | none
  BAC 3.9.2.player-0-5 | TS 9H QC 5C       | next          | P3
  BAC 3.9.3            | 6H 4S AH 6S       | next          | B3
  BAC 3.9.4.banker-3   | 3S QC KC 3D 8D    | next          | none
  BAC 3.9.4.banker-6   | 3S QC AD 6D 7H    | next          | B3
  BAC 3.10.1.i         | AH 8C 8D AS       | winner        | tie
  BAC 3.10.1.ii        | AH 8C 8D AS       | player        | push by BAC 3.10.1
  BAC 3.10.1.ii        | AH 8C 8D AS       | banker        | push by BAC 3.10.1
  BAC 3.10.1.iii       | AH 8C 8D AS       | tie           | 8 to 1
  BAC 1.1.1            | JS 9D TC 8D 5C    | banker        | 19 to 20
  BAC 1.1.5            | QS 8D QH KS       | playerPair    | true
  BAC 1.1.5            | 9S 8D 9S KH       | playerPair    | true
  BAC 1.1.5            | 9H QS TD QS       | bankerPair    | true
  BAC 1.1.5            | TS 8D KS KH       | playerPair    | false
  BAC 1.1.5            | JD 8D QD KH       | playerPair    | false
  BAC 3.8              | 9S KC 3H 7D 9D    | player-pair   | loses by BAC 3.8.1
  BAC 3.8              | 6S QC KH 3D QS    | banker-pair   | loses by BAC 3.8.2
  BAC 3.8.1            | 9S 2C 9H 4D       | player-pair   | 11 to 1 by BAC 4.1
  BAC 3.8.1            | 2S QC 4H QD 5S    | player-pair   | loses by BAC 3.8.1
  BAC 3.8.2            | 2S QC 4H QD 5S    | banker-pair   | 11 to 1 by BAC 4.1
  BAC 3.8.2            | 9S 2C 9H 4D       | banker-pair   | loses by BAC 3.8.2
  BAC 4.1.d            | KS 8D KD KH       | player-pair   | 11 to 1 by BAC 4.1
  BAC 4.1.d            | KS 8D KD KH       | banker-pair   | loses by BAC 3.8.2
  BAC 4.1.a            | JS 9D TC 8D 5C    | banker        | 19 to 20 by BAC 4.1
  BAC 4.1.a            | 4H 7C 9S 4C KD AS | banker        | loses by BAC 3.10
  BAC 4.1.b            | JD 6D 7D QS       | player        | 1 to 1 by BAC 4.1
  BAC 4.1.b            | 2D KC TS 4H 3H 2H | player        | loses by BAC 3.10
  BAC 4.1.c            | JS TS KD KC TD KS | tie           | 8 to 1 by BAC 4.1
  BAC 4.1.c            | 4D TH JC 5D JS    | tie           | loses by BAC 1.1.8
  BAC 4.1.d            | AC 7C TH 7D KH    | banker-pair   | 11 to 1 by BAC 4.1
  BAC 4.1.d            | AC 7C TH 7D KH    | player-pair   | loses by BAC 3.8.1
  BAC 4.1.d            | 3S JD 6H 3H       | banker-pair   | loses by BAC 3.8.2
`,
  ],
];
