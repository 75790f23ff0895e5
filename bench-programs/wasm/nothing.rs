//! Nothing: the package is there for the sources of others that its manifest names.
