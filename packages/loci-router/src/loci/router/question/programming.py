"""Programming languages. Their names are proper names, and being written in one is no matter of words."""

from __future__ import annotations

LANGUAGES = {
    "c": "C", "c#": "C#", "csharp": "C#", "c++": "C++", "cpp": "C++", "clojure": "Clojure", "dart": "Dart",
    "elixir": "Elixir", "erlang": "Erlang", "f#": "F#", "go": "Go", "golang": "Go", "groovy": "Groovy",
    "haskell": "Haskell", "java": "Java", "javascript": "JavaScript", "js": "JavaScript", "julia": "Julia",
    "kotlin": "Kotlin", "lua": "Lua", "nix": "Nix", "ocaml": "OCaml", "objective-c": "Objective-C", "php": "PHP",
    "perl": "Perl", "python": "Python", "r": "R", "ruby": "Ruby", "rust": "Rust", "scala": "Scala", "shell": "Shell",
    "bash": "Shell", "svelte": "Svelte", "swift": "Swift", "typescript": "TypeScript", "ts": "TypeScript", "vue": "Vue",
    "zig": "Zig",
}  # fmt: skip
"""Programming languages as people write them, folded -> as they are called."""
