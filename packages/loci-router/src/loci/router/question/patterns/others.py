"""French, Italian and Portuguese, of which only the commonest wordings for code are read."""

from __future__ import annotations

from . import Patterns

PATTERNS = Patterns(
    symbol_relations=(
        # qui appelle X, où est utilisé X
        (
            "callers",
            "appel utilis",
            r"(?:qui|qu'est-ce\s+qui|où)\s+(?:\w+[\s-]){0,2}?(?:appelle|appelons|utilise|est\s+appelée?|est\s+utilisée?)\s+<N>",
        ),
        # quem chama X, onde é usado X; chi chiama X, dove si usa X
        (
            "callers",
            "usa utiliza chama chiama",
            r"(?:quem|onde|o\s+que|chi|cosa|dove)\s+(?:se\s+|si\s+|é\s+)?"
            r"(?:usa|utiliza|chama|chiama|usad[oa]|chamad[oa])\s+(?:a\s+)?<N>",
        ),
    ),
    reason=(r"\bpourquoi\b",),
)
