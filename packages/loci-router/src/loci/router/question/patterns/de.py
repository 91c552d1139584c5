# ruff: noqa: E501 - a pattern that is broken over lines cannot be read.
"""German."""

from __future__ import annotations

from ..text import words
from . import PROJECT_NAME, QUOTE, Patterns

PATTERNS = Patterns(
    # "die", "in", "was" are English words as well, "es" and "no" Spanish ones.
    function_words=words(
        """der das den dem des und oder nicht ist sind wird werden wurde wie wo warum wann welche welcher welches
        welchen welchem ich wir mein meine meinen meinem meiner meines unser unsere ein eine einen einem einer eines
        für mit von beim zum zur auf aus nach wenn dass kann hier dieses diese dieser diesem habe haben hat auch
        sich im am"""
    ),
    begins=(
        r"\s*(?:was|wer|wo[vfzr]\w+|von w|welch|wie ?viele|gib|besch|erkl|(?:be)?nutzt|verwendet|braucht|benötigt|importiert|"
        r"hängt|zeig|nenn|die (?:letzt|neu|abh)|letzte|neueste|die abh|alle abh|abh|bitte|sag|kannst)"
    ),
    instrument=(
        r"(?:^|[.!?,;:] ?)(?:bitte )?(?:frag(?:e)?|nutze?|benutze?|verwende?) (?P<tool>loci)\b(?:,? (?:ob|um|und))?[:,]?",
        r"\b(?:mit|laut|über|per) (?P<tool>loci)\b(?=\s*(?:[,:;.?!]|$))",
    ),
    enumeration=(
        # Interrogative + genitive possessive, or the plural frame noun.
        r"\bwelche[srnm]? (?:von |unter )?(?:meine[nrm]?|unsere[nrm]?|all meine[nr]) (?:[\w+#./-]+ ){0,3}?"
        r"(?:projekte[n]?|repos|repositories|repositorys|codebasen|programme[n]?|apps|dienste[n]?|tools|werkzeuge[n]?)\b",
        r"\b(?:in )?welchen? (?:[\w+#./-]+ )?(?:projekten?|repos|repositories|repositorys|codebasen)\b",
        r"\bwie viele (?:meiner|unserer|von meinen) [\w+#./-]+\b",
        # Quantifiers over the speaker's projects.
        r"\b(?:irgend)?ein(?:e[sr]?|em|en)? (?:meiner|unserer|von meinen) [\w+#./-]+\b",
        r"\b(?:in |über )?(?:all(?:e|en)?|jede[smrn]?|sämtliche[n]?) (?:meine[nrm]?|unsere[nrm]?) [\w+#./-]+\b",
        r"\b(?:alle|allen|jedes|jedem|sämtliche) (?:projekte[n]?|projekt|repos?|repositories)\b",
        r"\b(?:was|irgendetwas|irgendwas|etwas|nichts|alles) von (?:mir|uns|meinen|meinem)\b",
        # "elsewhere"; experiential perfect of the first person.
        r"\bwo (?:sonst|noch|überall)(?: noch)?\b",
        r"\b(?:habe|hab|haben) (?:ich|wir) (?:[\w+#./-]+ ){0,4}?(?:je|jemals|schon(?: ein)?mal|irgendwo|bereits)\b",
        r"\bwo habe[n]? (?:ich|wir)\b",
        r"\b(?:hat|gibt es|habe ich) (?:irgendein|ein|mehrere) (?:projekt|repo)\b",
    ),
    deixis=(
        (
            "noun",
            r"\b(?:dies(?:e[srnm]?)?|unser(?:e[srnm]?)?|das|dem|die|der|im|ins) (?:ganze[nrms]? |aktuelle[nrms]? )?"
            r"(?:projekt(?:es|s)?|repo|repository|codebasis|codebase|app|anwendung|programm|tool|verzeichnis|ordner|ding)\b",
        ),
        ("place", r"\b(?:hier(?:in|drin|von)?|da drin)\b"),
        ("person", r"\b(?:wir|uns|unser(?:e[srnm]?)?)\b"),
    ),
    project_relations=(
        r"\bwelche[srnm]? (?:meiner |unserer |anderen )?(?:projekte?|repos?) (?:be)?(?:nutzt|nutzen|verwendet|verwenden|"
        r"braucht|brauchen|importiert|importieren) (?:ein(?:es)? (?:anderes|andere|meiner anderen|meiner)|einander|(?P<subject>[\w@][\w@./+-]*)(?=\s*(?:[?.!,]|$)))",
        r"\b(?:was|welche[sr]? (?:projekte?|repos?)|wer) hängt (?:alles )?von (?P<subject>[\w@][\w@./+-]*) ab\b",
        r"\bwelche (?:projekte|repos) hängen von (?:einander|(?P<subject>[\w@][\w@./+-]*)) ab\b",
        r"\bwer (?:sonst )?(?:be)?(?:nutzt|verwendet|braucht|importiert) (?:noch )?(?P<subject>[\w@][\w@./+-]*)(?=\s*(?:[?.!,]|$))",
    ),
    subject=(
        r"(?:(?P<here>(?:dies(?:e[srnm]?)?|das|dem|der|die|unser(?:e[srnm]?)?) (?:ganze[nrms]? |aktuelle[nrms]? )?"
        r"(?:projekt(?:es|s)?|repo|repository|codebasis|codebase|app|anwendung|programm|tool|bibliothek|paket|verzeichnis|ordner|ding)"
        r"|es|das|dies(?:es)?|das hier|dies hier|hier)"
        rf"|(?:dem|das|des|der|die) (?:projekt(?:es|s)?|repo|repository|programm|paket|bibliothek) {QUOTE}(?P<name>{PROJECT_NAME}){QUOTE}"
        rf"|{QUOTE}(?P<bare>{PROJECT_NAME}){QUOTE})"
    ),
    lead=r"(?:(?:bitte|sag mir|erklär mir|erkläre mir|kannst du mir (?:bitte )?(?:sagen|erklären),?)[,]? )*",
    trail=r"(?:,? (?:eigentlich|genau|überhaupt|denn|bitte|kurz|hier|so))*\s*[?.!…]*\s*",
    written_in=(
        r"welche[rs]? (?:(?:meiner|unserer|von meinen) )?(?:projekte|projekt|repos|repositories|programme) (?:sind|ist) (?:hauptsächlich )?in <L> (?:geschrieben|programmiert|entwickelt|implementiert)",
        r"welche <L>[- ]?(?:projekte|repos|programme)(?: habe ich| gibt es)?",
    ),
    holding=(
        r"welche[rs]? (?:(?:meiner|unserer|von meinen) )?(?:projekte|projekt|repos|repositories|programme) (?:be)?(?:nutzt|nutzen|verwenden|verwendet|enthalten|enthält|haben|hat) <L>(?:-code)?",
    ),
    languages=(
        r"in welcher (?:programmier)?sprache (?:ist|wurde) <S> (?:geschrieben|programmiert|entwickelt|implementiert)",
        r"ist <S> in <L> (?:geschrieben|programmiert)",
    ),
    needs=(
        r"(?:wovon|von was|von wem) hängt <S> (?:alles )?ab",
        r"(?:welche|wieviele|wie viele) (?:anderen? )?(?:bibliotheken|pakete|abhängigkeiten|module|projekte|frameworks|werkzeuge) (?:be)?(?:nutzt|verwendet|braucht|hat|benötigt|importiert) <S>",
        r"was (?:be)?(?:nutzt|verwendet|braucht|benötigt|importiert) <S>",
        r"(?:was sind |welche sind |zeige? mir |nenne? mir )?(?:die |alle )?abhängigkeiten (?:von |des |der )?<S>",
        r"(?:be)?(?:nutzt|verwendet|braucht|benötigt|importiert) <S> <O>",
        r"hängt <S> (?:direkt )?von <O> ab",
    ),
    changes=(
        r"(?:was sind |zeige? mir |nenne? mir )?(?:die )?(?:letzten|neuesten|jüngsten)(?: \w+)? (?:commits|änderungen)(?: (?:in|von|an|bei) <S>)?",
        r"was (?:hat sich|wurde) (?:zuletzt|kürzlich)(?: (?:in|an) <S>)? geändert",
    ),
    release=(
        r"was (?:hat sich|ist|wurde|gab es|war)(?: alles)?(?: neues)? (?:in|bei|mit|seit) der (?:letzten|neuesten|aktuellen) (?:version|release|veröffentlichung)(?: von <S>)?(?: (?:geändert|neu|anders|hinzugefügt|behoben))*",
        r"was (?:ist|gibt es|gibt's) (?:neu|neues)(?: (?:in|bei|an) <S>)?",
        r"wann (?:war|kam|erschien) (?:das|die|der) (?:letzte|neueste|aktuelle) (?:release|version|veröffentlichung)(?: von <S>)?(?: (?:raus|heraus))?",
        r"(?:was|welche[s]?) ist die (?:neueste|aktuelle|letzte) version(?: von <S>)?",
    ),
    overview=(
        r"was (?:macht|tut|kann|ist) <S>",
        r"was <S> (?:macht|tut|kann|ist)",
        r"(?:wofür|wozu) (?:ist|dient|braucht man|benutzt man|nutzt man) <S>(?: (?:gut|da|gedacht))?",
        r"worum geht(?:'s| es) (?:in|bei|im|beim) <S>",
        r"was ist (?:der|das) (?:zweck|ziel|sinn) (?:von |des |der )?<S>",
        r"(?:gib mir |ich brauche )?(?:ein(?:e|en)? )?(?:kurze[nr]? )?(?:überblick|übersicht|zusammenfassung|beschreibung|einführung) (?:über|von|zu|in) <S>",
        r"(?:beschreibe?|erkläre?) <S>",
    ),
    frame_words=words(
        """welche welcher welches welchen welchem meine meinen meiner meines unsere unserer projekte projekten projekt wie
        viele eines irgendein irgendeines alle allen jedes jedem jeder wo sonst noch überall habe haben ich wir je
        jemals schon einmal mal irgendwo bereits von programme apps"""
    ),
    symbol_relations=(
        (
            "callers",
            "ruft rufen nutzt verwende",
            r"(?:wer|was|wo)\s+(?:\w+\s+)?(?:ruft|rufen|nutzt|benutzt|verwendet|verwenden)\s+(?:\w+\s+)??<N>",
        ),
        (
            "callers",
            "wird",
            r"(?:wo|woher|von\s+\w+)\s+(?:\w+\s+)?wird\s+<N>\s+(?:\w+\s+)?(?:aufgerufen|verwendet|benutzt|genutzt)",
        ),
    ),
    asked_relations=(
        (
            "callers",
            "ruft nutzt verwendet aufrufer",
            r"\bwer (?:\w+ )?(?:ruft|nutzt|benutzt|verwendet)\b|\baufrufern?\b",
        ),
        (
            "callers",
            "aufgerufen verwendet benutzt genutzt",
            r"\b(?:wo|woher|von wo) (?:überall )?(?:wird|werden) [^,;.?!]{1,60}? (?:aufgerufen|verwendet|benutzt|genutzt)\b",
        ),
        (
            "callers",
            "hängt betroffen",
            r"\bwas (?:hängt|ist) (?:[^,;.?!]{1,40} )?(?:davon|von [^,;.?!]{1,40}) (?:ab|betroffen)\b",
        ),
        (
            "callees",
            "reihenfolge schritte stufen phasen",
            r"\bin welcher reihenfolge\b|\bwelche (?:schritte|stufen|phasen)\b",
        ),
        ("callees", "aufgerufen", r"\b(?:was|welche \w+) (?:wird|werden) (?:von|in) [^,;.?!]{1,60}? aufgerufen\b"),
        (
            "implementers",
            "implementier erweiter überschreib erb",
            r"\bwelche (?:\w+ )?(?:klassen?|typ(?:en)?|traits?|interfaces?|schnittstellen?|backends?) "
            r"(?:implementier(?:en|t)|erweiter(?:n|t)|überschreib(?:en|t)|erb(?:en|t) von)\b",
        ),
        (
            "implementers",
            "unterklasse implementierungen",
            r"\bunterklassen? (?:von|der|des)\b|\bimplementierungen (?:von|der|des)\b",
        ),
        ("importers", "importier", r"\b(?:wer|was|welche (?:dateien?|module?|pakete?)) importier(?:t|en)\b"),
        ("importers", "importiert", r"\bwo (?:wird|werden) [^,;.?!]{1,60}? importiert\b"),
        (
            "tests",
            "test",
            r"\bwelche[rn]? tests?\b|\b(?:gibt es|haben wir|die|unsere|in den) (?:\w+ )?tests\b|\btests? für\b",
        ),
        ("tests", "getestet", r"\b(?:ist|sind|wird|werden) [^,;.?!]{1,60}? getestet\b"),
    ),
    # wie kommt man von A zu B
    chains=(
        ("von", r"\bwie\b[^.?!]{1,40}?\bvon\s+<N>\s+(?:bis\s+)?(?:zu|nach)\s+<E>"),
        ("zwischen", r"\b(?:weg|pfad|kette)\s+zwischen\s+<N>\s+und\s+<E>"),
    ),
    reason=(r"\bwarum\b|\bwieso\b|\bweshalb\b",),
    when=r"\s*wann",
)
