//! Traces as text: what is chosen from profiles, and what is formed.
