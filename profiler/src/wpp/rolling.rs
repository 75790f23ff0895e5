//! Polynomial hashes of sequences, which concatenate.
//!
//! In: numbers, or hashes of parts with their lengths. Out: 122 bits.
//! [KR87]: R. Karp and M. Rabin, "Efficient randomized pattern-matching algorithms", IBM J. Res. Dev. 31(2), 1987.
//!
//! Notation: h(x1 .. xn) is the sum of (xi + 1) * B^(n-i) modulo 2^61 - 1, for two bases B. Numbers below 2^32 count
//! from 1, so that a leading 0 changes the hash. h(xy) = h(x) * B^|y| + h(y).

const MODULUS: u64 = (1 << 61) - 1;
/// Odd digits of pi and e: any two numbers that have no short period would do.
const BASES: [u64; 2] = [0x0432_43f6_a888_5a30, 0x0b7e_1516_28ae_d2a6];

/// Hash of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RollingHash([u64; 2]);

/// Hash of a sequence with the powers that appending it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollingPart {
    hash: RollingHash,
    powers: [u64; 2],
}

#[inline]
fn multiply_add(a: u64, b: u64, c: u64) -> u64 {
    let product = u128::from(a) * u128::from(b) + u128::from(c);
    let folded = (product as u64 & MODULUS) + (product >> 61) as u64;
    if folded >= MODULUS { folded - MODULUS } else { folded }
}

impl RollingHash {
    /// Appends numbers.
    pub fn extend(&mut self, numbers: &[u32]) {
        for &number in numbers {
            for (hash, base) in self.0.iter_mut().zip(BASES) {
                *hash = multiply_add(*hash, base, u64::from(number) + 1);
            }
        }
    }

    /// Appends a part.
    #[inline]
    pub fn append(&mut self, part: &RollingPart) {
        for (hash, (power, appended)) in self.0.iter_mut().zip(part.powers.iter().zip(part.hash.0)) {
            *hash = multiply_add(*hash, *power, appended);
        }
    }

    /// The hash as a key of tables.
    pub fn key(self) -> (u64, u64) {
        (self.0[0], self.0[1])
    }
}

impl RollingPart {
    /// The part of these numbers.
    pub fn of(numbers: &[u32]) -> RollingPart {
        let mut hash = RollingHash::default();
        hash.extend(numbers);
        let powers = BASES.map(|base| numbers.iter().fold(1, |power, _| multiply_add(power, base, 0)));
        RollingPart { hash, powers }
    }

    /// Appends another part.
    #[inline]
    pub fn append(&mut self, part: &RollingPart) {
        self.hash.append(part);
        for (power, appended) in self.powers.iter_mut().zip(part.powers) {
            *power = multiply_add(*power, appended, 0);
        }
    }

    /// Its hash.
    pub fn hash(&self) -> RollingHash {
        self.hash
    }
}
