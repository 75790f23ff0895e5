// No code: the package names sources.
