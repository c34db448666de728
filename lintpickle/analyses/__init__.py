"""Questions about code that several rules ask: of arguments, hierarchies, what main sets, what runs at import."""
