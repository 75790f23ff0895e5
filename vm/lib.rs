//! Holloway.
