//! Mathematics beyond the machine's instructions: Rust's `f64` methods, which every tier calls, so results agree to the
//! bit.

macro_rules! functions {
    ($($(#[doc = $doc:literal])* $name:ident($x:ident $(, $y:ident)?) = $method:ident;)*) => {$(
        $(#[doc = $doc])*
        pub fn $name($x: f64 $(, $y: f64)?) -> f64 {
            $x.$method($($y)?)
        }
    )*};
}

functions! {
    /// `sin(x)`.
    sin(x) = sin;
    /// `cos(x)`.
    cos(x) = cos;
    /// `tan(x)`.
    tan(x) = tan;
    /// `asin(x)`.
    asin(x) = asin;
    /// `acos(x)`.
    acos(x) = acos;
    /// `atan(x)`.
    atan(x) = atan;
    /// `atan2(y, x)`.
    atan2(y, x) = atan2;
    /// `exp(x)`.
    exp(x) = exp;
    /// `log(x)`, natural.
    log(x) = ln;
    /// `pow(x, y)`.
    pow(x, y) = powf;
    /// `round(x)`, ties away from zero.
    round(x) = round;
}
